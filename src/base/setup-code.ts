/** The cause of a failed start or reload. The codes are stable and explained in docs/codes.md; messages may be reworded. */
export type SetupCode =
  /** The command line has an unknown word or flag, or one too many. */
  | 'usage-invalid'
  /** `explain` was asked for a code that does not exist. */
  | 'code-unknown'
  /** An option does not exist. */
  | 'option-unknown'
  /** An option has an unusable value. */
  | 'option-invalid'
  /** Two options exclude each other. */
  | 'option-conflict'
  /** The config file is something else than a mapping of options. */
  | 'config-invalid'
  /** The directory has more than one config file. */
  | 'config-ambiguous'
  /** The file does not exist. */
  | 'file-missing'
  /** The file exists, but cannot be read. */
  | 'file-unreadable'
  /** A report or the state file cannot be written. */
  | 'file-unwritable'
  /** Standard input has no document. */
  | 'input-unreadable'
  /** The URL cannot be fetched. */
  | 'url-unreadable'
  /** A file is neither valid YAML nor valid JSON. */
  | 'syntax-invalid'
  /** The file is not an OpenAPI document, or one that cannot be read. */
  | 'document-invalid'
  /** No operation of the document can be served. */
  | 'document-unservable'
  /** The fixtures cannot be used. */
  | 'fixtures-invalid'
  /** The state file cannot be used. */
  | 'state-file-invalid'
  /** A file is not a report of the coverage. */
  | 'report-invalid'
  /** A fault names an unknown operation, or cannot be applied. */
  | 'fault-invalid'
  /** A delay names an unknown operation. */
  | 'delay-invalid'
  /** The option `lifecycle` names an unknown operation, or has an unusable value. */
  | 'lifecycle-option-invalid'
  /** The option `resources` names an unknown resource or path. */
  | 'resource-option-invalid'
  /** `x-mock-resource` in the document has an unusable value. */
  | 'resource-mark-invalid'
  /** Another program listens on the port. */
  | 'port-taken'
  /** The port may not be used. */
  | 'port-denied'
  /** The port is not a number from 0 to 65535. */
  | 'port-invalid'
  /** This machine does not have the address to listen on. */
  | 'host-unknown'
  /** The mock was closed while it began to listen. */
  | 'mock-closed'
  /** The command of `exec` does not exist. */
  | 'command-missing'
  /** The command of `exec` exists, but cannot be started. */
  | 'command-denied'
  /** The server of `check --against` cannot be reached. */
  | 'provider-unreachable';

/** The cause of a warning at the start. */
export type SetupWarning =
  /** A variable resembles none of ours, or belongs to another program. */
  | 'variable-ignored'
  /** A stronger source excludes the option. */
  | 'option-ignored'
  /** A directory has no fixtures, or files that are not read. */
  | 'fixtures-ignored'
  /** A property of fixtures is probably mistyped. */
  | 'fixture-property-unknown'
  /** The parent of an entity in fixtures does not exist. */
  | 'fixture-parent-missing'
  /** The document does not show the code of a fault. */
  | 'error-code-undeclared'
  /** The document has operations below the path of the control API. */
  | 'path-reserved';

/** A warning with its code. */
export function toSetupWarning(text: string, code: SetupWarning): string {
  return `${text} [${code}]`;
}
