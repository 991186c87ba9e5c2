import { buildNearestFinder, findNearest } from '../base/find-nearest.ts';
import { once } from '../base/once.ts';
import { toSetupWarning } from '../base/setup-code.ts';
import { COMMAND_OPTIONS, CONFIG_OPTION, type Option } from '../core/service/service.ts';
import { SHARDS_VARIABLE } from '../mock/coverage/coverage.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The variables of the environment that concern this command. */
interface Variables {
  /** The variables of options, and those that resemble one. */
  readonly values: readonly (readonly [name: string, value: unknown])[];
  /** A sentence for every variable that means something else. */
  readonly warnings: readonly string[];
}

const PREFIX = 'PETSTORE_MOCK_';

/** The options that have a variable. */
export const VARIABLE_OPTIONS: readonly Option[] = COMMAND_OPTIONS.filter(({ flag }) => flag !== undefined);

/** The variable that names the config file. */
export const CONFIG_VARIABLE: string = toVariable(CONFIG_OPTION.name);

/** The variable in which `exec` gives its command the URL of the mock. */
export const URL_VARIABLE: string = `${PREFIX}URL`;

/** `logLevel` → `PETSTORE_MOCK_LOG_LEVEL` */
export function toVariable(name: string): string {
  return PREFIX + name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/**
 * Reads the variables. Other programs may use our prefix too, as Kubernetes does for a Service named petstore-mock, so a variable
 * is left for a refusal only if it resembles an option.
 */
export function readVariables(env: Environment): Variables {
  const given = Object.entries(env).filter(
    ([name, value]) => name.startsWith(PREFIX) && !NO_OPTIONS.has(name) && value !== undefined,
  ) as [string, string][];
  const ofServices = given.filter(([name, value]) => isOfService(name, value));
  const others = given.filter((entry) => !ofServices.includes(entry));
  const meant = others.filter(([name]) => findMeant(name) !== undefined);
  const unknown = others.filter((entry) => !meant.includes(entry));
  return {
    values: meant.map(([name, value]) => [name, LISTS.has(name) ? splitList(value) : value]),
    warnings: [
      ...toMisspelt(env),
      ...toWarning('Ignored what Kubernetes sets for a Service', ofServices),
      ...toWarning('Ignored unknown variables', unknown),
    ].map((text) => toSetupWarning(text, 'variable-ignored')),
  };
}

/** Names the variables whose prefix is misspelt, each with the one that was probably meant. */
function toMisspelt(env: Environment): string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    // Few variables of other programs begin like ours and are as long, so few are compared.
    if (value === undefined || !/^p/i.test(name) || name.length < PREFIX.length) return [];
    if (name.startsWith(PREFIX) || isOfService(name, value)) return [];
    const meant = findVariable()(name);
    return meant === undefined ? [] : [`Ignored unknown variable ${name}. Did you mean ${meant}?`];
  });
}

/** The option that a variable names or resembles. */
export function findMeant(variable: string): string | undefined {
  return findNearest(variable.replace(PREFIX, ''), NAMES);
}

const NO_OPTIONS: ReadonlySet<string> = new Set([CONFIG_VARIABLE, URL_VARIABLE, SHARDS_VARIABLE]);
const NAMES = [...COMMAND_OPTIONS, CONFIG_OPTION].map(({ name }) => name);
const findVariable = once(() =>
  buildNearestFinder([...VARIABLE_OPTIONS, CONFIG_OPTION].map(({ name }) => toVariable(name))),
);
const LISTS = new Set(VARIABLE_OPTIONS.filter(({ list }) => list).map(({ name }) => toVariable(name)));

/** Variables that Kubernetes sets in every container for a Service with this name, or with a name that begins with it. */
const OF_SERVICE = /_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/;

function isOfService(name: string, value: string): boolean {
  return OF_SERVICE.test(name) || (name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value));
}

function splitList(text: string): string[] {
  return text.split(';').map((part) => part.trim());
}

function toWarning(text: string, variables: readonly (readonly [name: string, value: string])[]): string[] {
  return variables.length === 0 ? [] : [`${text}: ${variables.map(([name]) => name).join(', ')}.`];
}
