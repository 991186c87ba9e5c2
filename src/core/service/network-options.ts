import { LOOPBACK } from '../../wire/message/message.ts';
import { BASE_URL_SCHEMA, ORIGINS_SCHEMA, readBaseUrl, readOrigins } from './network-readers.ts';
import type { OptionTable } from './option.ts';
import { readBoolean, readIntegerBetween, readString } from './option-readers.ts';
import { TEXT, TRUTH, toIntegerSchema } from './option-schemas.ts';

/** The options that decide where the mock listens. */
export const LISTEN_OPTIONS: Pick<OptionTable, 'port' | 'host' | 'open'> = {
  port: {
    flag: '--port <port>',
    description: 'the port to listen on; 0 picks a free one',
    default: 4010,
    scope: 'command',
    read: readIntegerBetween(0, 65_535),
    schema: toIntegerSchema(0, 65_535),
    fixed: true,
  },
  host: {
    flag: '--host <host>',
    description: 'the address to listen on; 0.0.0.0 lets other machines in, but not into the control API',
    default: '127.0.0.1',
    scope: 'command',
    read: readString,
    schema: TEXT,
    fixed: true,
  },
  open: {
    flag: '--open',
    description: 'open the overview of the mock in a browser',
    default: false,
    scope: 'command',
    read: readBoolean,
    schema: TRUTH,
    fixed: true,
  },
};

/** The options that decide which clients may use the mock, and at which address. */
export const CLIENT_OPTIONS: Pick<OptionTable, 'baseUrl' | 'cors' | 'corsOrigin'> = {
  baseUrl: {
    flag: '--base-url <url|path>',
    description: 'where clients reach the mock through a proxy; links and Location begin with it',
    default: undefined,
    defaultText: 'as the proxy announces',
    scope: 'both',
    read: readBaseUrl,
    schema: BASE_URL_SCHEMA,
  },
  cors: {
    flag: '--no-cors',
    description: 'send no CORS headers',
    default: true,
    scope: 'both',
    read: readBoolean,
    schema: TRUTH,
    fixed: true,
  },
  corsOrigin: {
    flag: '--cors-origin <origin>',
    description: 'an origin that may send credentials, or loopback for all on this machine; repeatable',
    default: [LOOPBACK],
    defaultText: LOOPBACK,
    scope: 'both',
    read: readOrigins,
    schema: ORIGINS_SCHEMA,
    list: true,
    fixed: true,
  },
};
