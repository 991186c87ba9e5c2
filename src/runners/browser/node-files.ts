// Stand-ins for files, which pages do not have, and for the paths that lead to them.

function refuse(): never {
  throw Object.assign(new Error('A page has no files.'), { code: 'ENOENT' });
}

const refuseLater = async (): Promise<never> => refuse();

export const access: () => Promise<never> = refuseLater;
export const readFile: () => Promise<never> = refuseLater;
export const readdir: () => Promise<never> = refuseLater;
export const stat: () => Promise<never> = refuseLater;
export const text: () => Promise<never> = refuseLater;
export const createReadStream: () => never = refuse;
export const readFileSync: () => never = refuse;
export const fileURLToPath: () => never = refuse;
export const createRequire: () => never = refuse;
export const constants: { readonly R_OK: number } = { R_OK: 4 };

export function basename(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function dirname(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/'))) || '.';
}

export function extname(path: string): string {
  return /\.[^./]*$/.exec(path)?.[0] ?? '';
}

export function join(...parts: string[]): string {
  return parts.join('/');
}

export function resolve(...parts: string[]): string {
  return parts.reduce((base, part) => (part.startsWith('/') ? part : `${base}/${part}`));
}
