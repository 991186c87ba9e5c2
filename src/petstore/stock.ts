import { add, type Numeric, subtract } from '../codecs/codecs.ts';
import { Problem } from '../problem.ts';
import type { Entity, Session } from '../store/store.ts';

export type Status = 'available' | 'pending' | 'sold';

export interface Pet extends Entity {
  readonly id: Numeric;
  readonly categoryId: Numeric;
  readonly status: Status;
}

export interface Order extends Entity {
  readonly id: Numeric;
  readonly petId: Numeric;
  readonly quantity: Numeric;
  readonly complete: boolean;
}

export interface InventoryItem extends Entity {
  readonly petId: Numeric;
  readonly quantity: Numeric;
  readonly status: Status;
}

export function requireStock(session: Session, petId: Numeric, wanted: Numeric): void {
  const { quantity } = inventoryOf(session, petId);
  if (quantity >= wanted) return;
  const message = `Pet ${petId} has ${quantity} in stock; the order asks for ${wanted}.`;
  throw new Problem(409, 'out_of_stock', message);
}

export function requireAvailable(session: Session, petId: Numeric): void {
  const { status } = inventoryOf(session, petId);
  if (status === 'available') return;
  throw new Problem(409, 'pet_not_available', `Pet ${petId} is ${status}, so it can't be ordered.`);
}

export function requirePositive(quantity: Numeric): Numeric {
  if (quantity < 1) throw invalidQuantity(quantity, 'must be at least 1');
  return quantity;
}

export function invalidQuantity(quantity: Numeric, rule: string): Problem {
  return new Problem(422, 'invalid_quantity', `body.quantity: ${rule}, not ${quantity}`, {
    violations: [{ location: 'body.quantity', message: rule }],
  });
}

/** Takes units of a pet out of stock. The last one leaves it pending. */
export function takeStock(session: Session, petId: Numeric, quantity: Numeric): void {
  const item = inventoryOf(session, petId);
  const left = subtract(item.quantity, quantity);
  setStock(session, { ...item, quantity: left, status: left > 0 ? item.status : 'pending' });
}

/** Gives units back into stock, which makes the pet available. */
export function giveBack(session: Session, petId: Numeric, quantity: Numeric): void {
  const item = inventoryOf(session, petId);
  const sum = add(item.quantity, quantity);
  setStock(session, { ...item, quantity: sum > MOST ? MOST : sum, status: 'available' });
}

/** A client may set a stock up to here. A sum beyond it would be infinite for most readers of JSON. */
const MOST = BigInt(Number.MAX_VALUE);

/** A pet is sold when its last unit was, and no open order could still give one back. */
export function settle(session: Session, petId: Numeric): void {
  const item = inventoryOf(session, petId);
  if (item.quantity > 0 || openOrders(session, petId).length > 0) return;
  setStock(session, { ...item, status: 'sold' });
}

/** The one place that changes stock: pet and entry always change together. */
export function setStock(session: Session, item: InventoryItem): Entity {
  const pets = session.collection('pets');
  const pet = pets.get(String(item.petId));
  if (pet) pets.put(String(item.petId), { ...pet, status: item.status });
  return putInventory(session, item);
}

export function addInventory(session: Session, { id, status }: Pet): void {
  putInventory(session, { petId: id, quantity: status === 'available' ? 1 : 0, status });
}

export function putInventory(session: Session, item: InventoryItem): Entity {
  return session.collection('inventory').put(String(item.petId), item);
}

export function inventoryOf(session: Session, petId: Numeric): InventoryItem {
  const item = session.collection('inventory').get(String(petId));
  if (!item) throw new Error(`Pet ${petId} has no inventory entry`);
  return item as InventoryItem;
}

export function openOrders(session: Session, petId: Numeric): Order[] {
  return (session.collection('orders').where('petId', petId) as Order[]).filter(({ complete }) => !complete);
}
