/** The extremes that an answer can be pushed to. */
export const VARIANTS = ['minimal', 'maximal', 'empty', 'long', 'unicode', 'null'] as const;

/** An extreme form of the same answer. */
export type Variant = (typeof VARIANTS)[number];

/** Whether a text names a variant. */
export function isVariant(text: string | undefined): text is Variant {
  return VARIANTS.some((variant) => variant === text);
}
