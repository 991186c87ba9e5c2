import { send } from './client.ts';

export const STATUSES = ['available', 'pending', 'sold'] as const;
export type Status = (typeof STATUSES)[number];

export interface Pet {
  readonly id: number;
  readonly name: string;
  readonly categoryId: number;
  readonly status?: Status;
}

export interface Category {
  readonly id: number;
  readonly name: string;
  readonly description?: string;
}

export interface InventoryItem {
  readonly petId: number;
  readonly quantity: number;
}

export interface Order {
  readonly id: number;
  readonly petId: number;
  readonly quantity: number;
}

/** Which pets a list has; all of them unless something is given. */
export interface PetFilter {
  readonly status?: string;
  readonly categoryId?: string;
}

export function listPets(filter: PetFilter, signal: AbortSignal): Promise<Pet[]> {
  const query = new URLSearchParams({ ...filter }).toString();
  return send(query === '' ? '/pets' : `/pets?${query}`, { signal });
}

export function listCategories(signal: AbortSignal): Promise<Category[]> {
  return send('/categories', { signal });
}

export function listInventory(signal: AbortSignal): Promise<InventoryItem[]> {
  return send('/store/inventory', { signal });
}

/** Still asks the deprecated operation, which the notice reports. Its successor is `/pets/{petId}/profile`. */
export function getPet(id: string, signal: AbortSignal): Promise<Pet> {
  return send(`/pets/${id}`, { signal });
}

export function getStock(id: string, signal: AbortSignal): Promise<InventoryItem> {
  return send(`/store/inventory/${id}`, { signal });
}

/** Places an order. The same key again, after a failure, never orders twice. */
export function placeOrder(order: { petId: number; quantity: number }, key: string): Promise<Order> {
  return send('/store/orders', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
    body: JSON.stringify(order),
  });
}
