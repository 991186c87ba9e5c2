import type { OptionTable } from './option.ts';
import { readBoolean, readOneOf } from './option-readers.ts';
import { TRUTH, toChoice } from './option-schemas.ts';
import { LOG_FORMATS, LOG_LEVELS } from './settings.ts';

/** The options of what the command prints. */
export const LOG_OPTIONS: Pick<OptionTable, 'logLevel' | 'logFormat' | 'color'> = {
  logLevel: {
    flag: '--log-level <level>',
    description: 'silent, error, warn, info or debug; debug adds headers and bodies, with credentials hidden',
    default: 'info',
    scope: 'command',
    read: readOneOf(LOG_LEVELS),
    schema: toChoice(LOG_LEVELS),
    fixed: true,
  },
  logFormat: {
    flag: '--log-format <format>',
    description: 'pretty or json',
    default: 'pretty',
    scope: 'command',
    read: readOneOf(LOG_FORMATS),
    schema: toChoice(LOG_FORMATS),
    fixed: true,
  },
  color: {
    flag: '--no-color',
    description: 'print without colors',
    default: true,
    scope: 'command',
    read: readBoolean,
    schema: TRUTH,
    fixed: true,
  },
};
