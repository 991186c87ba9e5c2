export { createPushVariant, type PushVariant } from './create-push-variant.ts';
export { isVariant, VARIANTS, type Variant } from './variant.ts';
