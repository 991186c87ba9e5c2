export const MESSAGE_NAMES: RegExp =
  /^(error|user|developer|human|status)?(message|msg|description|text)$|^(error)?details?$|^(explanation|summary)$/;

const WRAPPER_NAMES = /error|^(err|fault|problem|exception|failure|status|meta|response|result|body)$/;

const LIST_NAMES =
  /errors$|violations$|details?$|^(invalidparams|issues|problems|causes|reasons|messages?|errorlist)$/;

export function isMessageName(name: string): boolean {
  return MESSAGE_NAMES.test(normalizeName(name));
}

/** Whether an object of this name may contain the error. */
export function isWrapperName(name: string): boolean {
  return WRAPPER_NAMES.test(normalizeName(name));
}

/** Whether a list of this name may contain an error for each violation. */
export function isListName(name: string): boolean {
  return LIST_NAMES.test(normalizeName(name));
}

/** `error_code`, `errorCode` and `ErrorCode` → `errorcode` */
export function normalizeName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
