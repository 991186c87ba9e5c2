import { add, type Numeric, subtract } from '../base/number.ts';
import { Problem } from '../base/problem.ts';
import type { Entity, Store } from '../state/store/store.ts';

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

export function requireStock(store: Store, petId: Numeric, wanted: Numeric): void {
  const { quantity } = inventoryOf(store, petId);
  if (quantity >= wanted) return;
  const message = `Pet ${petId} has ${quantity} in stock; the order asks for ${wanted}.`;
  throw new Problem(409, 'out_of_stock', message);
}

export function requireAvailable(store: Store, petId: Numeric): void {
  const { status } = inventoryOf(store, petId);
  if (status === 'available') return;
  throw new Problem(409, 'pet_not_available', `Pet ${petId} is ${status}, so it can't be ordered.`);
}

export function requirePositive(quantity: Numeric): Numeric {
  if (quantity < 1) throw invalidQuantity(quantity, 'must be at least 1');
  return quantity;
}

export function invalidQuantity(quantity: Numeric, rule: string): Problem {
  return new Problem(422, 'invalid_quantity', `body.quantity: ${rule}, not ${quantity}`, {
    violations: [{ location: 'body.quantity', message: rule, code: 'minimum' }],
  });
}

/** Takes units of a pet out of stock. Without stock the pet is pending. */
export function takeStock(store: Store, petId: Numeric, quantity: Numeric): void {
  const item = inventoryOf(store, petId);
  const left = subtract(item.quantity, quantity);
  setStock(store, { ...item, quantity: left, status: left > 0 ? item.status : 'pending' });
}

/** Returns units to stock, which makes the pet available. */
export function returnStock(store: Store, petId: Numeric, quantity: Numeric): void {
  const item = inventoryOf(store, petId);
  const sum = add(item.quantity, quantity);
  setStock(store, { ...item, quantity: sum > MAX_STOCK ? MAX_STOCK : sum, status: 'available' });
}

/** The most that a client may set. Most JSON parsers would read a larger sum as infinite. */
const MAX_STOCK = BigInt(Number.MAX_VALUE);

/** Marks a pet as sold if it has no stock left and no open order that could return some. */
export function markSoldOut(store: Store, petId: Numeric): void {
  const item = inventoryOf(store, petId);
  if (item.quantity > 0 || openOrders(store, petId).length > 0) return;
  setStock(store, { ...item, status: 'sold' });
}

/** Stores an inventory entry and sets the status of its pet to match. */
export function setStock(store: Store, item: InventoryItem): Entity {
  const pets = store.collection('pets');
  const pet = pets.get(String(item.petId));
  if (pet) pets.put(String(item.petId), { ...pet, status: item.status });
  return putInventory(store, item);
}

export function addInventory(store: Store, { id, status }: Pet): void {
  putInventory(store, { petId: id, quantity: status === 'available' ? 1 : 0, status });
}

export function putInventory(store: Store, item: InventoryItem): Entity {
  return store.collection('inventory').put(String(item.petId), item);
}

export function inventoryOf(store: Store, petId: Numeric): InventoryItem {
  const item = store.collection('inventory').get(String(petId));
  if (!item) throw new Error(`Pet ${petId} has no inventory entry`);
  return item as InventoryItem;
}

export function openOrders(store: Store, petId: Numeric): Order[] {
  return (store.collection('orders').where('petId', petId) as Order[]).filter(({ complete }) => !complete);
}
