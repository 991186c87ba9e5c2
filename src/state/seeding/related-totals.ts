import { toSnake } from '../../model/resources/resources.ts';
import { isObject, type SchemaNode } from '../../schema/schema.ts';
import { type Changes, type Member, NO_CHANGES, type Relation, toCents } from './relation.ts';

/** Makes the total of a line equal to price times quantity. */
export const relateLine: Relation = (members) => {
  const totals = members.filter(({ name }) => LINE_TOTAL.test(name));
  if (totals.length === 0 || !members.some(({ name }) => QUANTITY.test(name))) return undefined;
  return (object, isFree) => {
    const amount = toAmount(object);
    if (amount === undefined) return NO_CHANGES;
    // An `amount` may be the price itself.
    const own = totals.filter(({ key, name }) => !PRICE.test(name) && isFree(key));
    return own.flatMap(({ key }) => toAmountChange(object, key, amount));
  };
};

/** Makes the totals of an object equal to the sum of its lines. Beside a subtotal, the total includes tax and the like. */
export const relateTotals: Relation = (members) => {
  const lists = members.filter(({ name, schema }) => LINES.test(name) && schema.types.includes('array'));
  const totals = members.filter(({ name }) => TOTAL_AMOUNT.test(name));
  if (lists.length === 0 || totals.length === 0) return undefined;
  // Beside an empty list without quantities, the total may count more than this page.
  const empty = lists.find(({ schema }) => hasQuantity(schema.items));
  const subtotals = totals.filter(({ name }) => SUBTOTAL.test(name));
  return (object, isFree) => {
    const found = lists.find(({ key }) => Array.isArray(object[key]) && object[key].length > 0) ?? empty;
    const lines = found && object[found.key];
    const amounts = Array.isArray(lines) ? lines.map(toAmount) : [undefined];
    if (amounts.includes(undefined)) return NO_CHANGES;
    const sum = toCents(amounts.reduce<number>((all, each) => all + Number(each), 0));
    const whole = subtotals.length > 0 ? toCents(sum + toExtras(members, object)) : sum;
    return totals
      .filter(({ key }) => isFree(key))
      .flatMap(({ key, name }) =>
        toAmountChange(object, key, SUBTOTAL.test(name) || whole < 0 ? sum : whole),
      );
  };
};

function hasQuantity(schema: SchemaNode | undefined): boolean {
  return [...(schema?.allProperties.keys() ?? [])].some((name) => QUANTITY.test(toSnake(name)));
}

/** Whether a value is a line of an order or the like: it has a price and a quantity. */
export function isLine(value: unknown): boolean {
  return toAmount(value) !== undefined;
}

const LINES = /(^|_)(items|lines|products|positions|entries)$/;
const PRICE = /^((unit|item|net|sale|base)_)?(price|amount|cost)$|^(price|cost)_(per_unit|each)$/;
const QUANTITY = /^(quantity|qty|count|units)$/;
const LINE_TOTAL = /^((line|item|row|sub)_?)?(total|amount)(_(price|amount|cost))?$/;
const TOTAL_AMOUNT =
  /^((order|cart|invoice|basket|grand|sub)_?)?total(_(price|amount|cost|sum|value))?$|^amount(_total)?$/;
const SUBTOTAL = /^sub_?total/;

/** Price times quantity; `undefined` if one of them is missing. The price may be in an object of the line. */
function toAmount(line: unknown): number | undefined {
  if (!isObject(line)) return undefined;
  const quantity = findAmount(line, QUANTITY);
  const price =
    findAmount(line, PRICE) ??
    Object.values(line)
      .filter(isObject)
      .map((inner) => findAmount(inner, PRICE))
      .find((found) => found !== undefined);
  return quantity === undefined || price === undefined ? undefined : toCents(price * quantity);
}

/** Finds the first number under such a name. A price may be a text. */
function findAmount(object: object, name: RegExp): number | undefined {
  const found = Object.entries(object).find(([key, value]) => isAmount(value) && name.test(toSnake(key)));
  return found && Number(found[1]);
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && DECIMAL.test(value));
}

const DECIMAL = /^-?\d+(\.\d+)?$/;

/** Sums up the charges on top of the lines, less the discounts. */
function toExtras(members: readonly Member[], object: Readonly<Record<string, unknown>>): number {
  const amounts = members.map(({ key, name }) => {
    const value = typeof object[key] === 'number' ? object[key] : 0;
    return EXTRA.test(name) ? value : DISCOUNT.test(name) ? -value : 0;
  });
  return amounts.reduce((all, each) => all + each, 0);
}

const EXTRA =
  /^((total|shipping|delivery|sales)_)?(tax|vat|shipping|fee|tip)(es)?(_(amount|cost|fee|price|total))?$/;
const DISCOUNT = /^(total_)?discount(_(amount|total))?$/;

/** Writes an amount like the present one: as a number, or as a text with two decimals. */
function toAmountChange(object: Readonly<Record<string, unknown>>, key: string, amount: number): Changes {
  // A client may send numbers whose product is inexact or infinite.
  if (!(Math.abs(amount) <= Number.MAX_SAFE_INTEGER)) return NO_CHANGES;
  const like = object[key];
  const value = typeof like === 'string' && DECIMAL.test(like) ? amount.toFixed(2) : amount;
  return typeof like === typeof value && like !== value ? [[key, value]] : [];
}
