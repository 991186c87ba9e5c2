/** `dueDate` and `due-date` → `due_date` */
export function toSnake(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  return words.replace(/[^a-z0-9]+/g, '_').replace(/^_|_$/g, '');
}
