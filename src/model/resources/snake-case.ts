/** `dueDate` and `due-date` → `due_date` */
export function toSnake(name: string): string {
  const known = snakes.get(name);
  if (known !== undefined) return known;
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  const snake = words.replace(/[^a-z0-9]+/g, '_').replace(/^_|_$/g, '');
  if (name.length > LONGEST_KNOWN) return snake;
  if (snakes.size >= MOST_KNOWN) snakes.clear();
  snakes.set(name, snake);
  return snake;
}

/** A cache, because a document repeats the same names thousands of times. It has bounds, because clients send names too. */
const snakes = new Map<string, string>();
const MOST_KNOWN = 5000;
const LONGEST_KNOWN = 50;
