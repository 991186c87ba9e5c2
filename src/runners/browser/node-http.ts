/** The build puts the table of Node here. */
declare const STATUS_CODES_OF_NODE: Readonly<Record<number, string>>;

export const STATUS_CODES: Readonly<Record<number, string>> = STATUS_CODES_OF_NODE;

/** Throws for a name that no header can have (RFC 9110 section 5.6.2). */
export function validateHeaderName(name: string): void {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
    throw new TypeError(`Header name must be a valid HTTP token ["${name}"]`);
}

/** Throws for a value that no header can have. */
export function validateHeaderValue(name: string, value: unknown): void {
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(String(value)))
    throw new TypeError(`Invalid character in header content ["${name}"]`);
}
