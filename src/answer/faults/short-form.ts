import { SetupError } from '../../base/problem.ts';
import { FAULT_EFFECTS, type FaultRule, type SequenceItem } from './fault-rule.ts';

const RULE =
  /^(?<operation>.+?)=(?<items>[A-Za-z\d,]+?)(?::(?<code>[A-Za-z0-9_.-]+?))?(?:@(?<share>\d*\.?\d+))?(?:x(?<times>\d+))?$/;

/**
 * Reads the short form of a rule: OPERATION=STATUS[:CODE][@PROBABILITY][xTIMES], where an effect or a sequence such as `503,503,ok` may stand
 * for the status. Throws a SetupError for anything else.
 */
export function parseFaultRule(text: string): FaultRule {
  const { operation, items, code, share, times } = RULE.exec(text.trim())?.groups ?? {};
  const sequence = items === undefined ? undefined : parseSequence(items);
  const [first] = sequence ?? [];
  if (operation === undefined || sequence === undefined || first === undefined) throw invalidRule(text);
  const isOne = sequence.length === 1 && first !== 'ok';
  return {
    operation,
    ...(!isOne && { sequence }),
    ...(isOne && typeof first === 'number' && { status: first }),
    ...(isOne && typeof first === 'string' && { effect: first }),
    ...(code !== undefined && { code }),
    ...(share !== undefined && { probability: Number(share) }),
    ...(times !== undefined && { times: Number(times) }),
  };
}

/** Reads a sequence such as `503,503,ok`; `undefined` for any other text. */
export function parseSequence(text: string): SequenceItem[] | undefined {
  const items = text.split(',').map(toItem);
  return items.every((item) => item !== undefined) ? items : undefined;
}

function toItem(given: string): SequenceItem | undefined {
  const text = given.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text);
  return text === 'ok' ? text : FAULT_EFFECTS.find((effect) => effect === text);
}

function invalidRule(text: string): SetupError {
  const message = `Invalid fault "${text}". Write OPERATION=STATUS, like getPet=503, createPet=409:duplicate_pet, 'GET /store/orders=500@0.2' or placeOrder=429x2. Instead of a status there may be an effect (${FAULT_EFFECTS.join(', ')}) or a sequence (503,503,ok).`;
  return new SetupError('fault-invalid', message, { usage: true });
}
