import { type Numeric, subtract } from '../base/number.ts';
import type { Contradiction, EntityName } from '../state/actions/actions.ts';
import type { Entity, Store } from '../state/store/store.ts';
import {
  addInventory,
  type InventoryItem,
  inventoryOf,
  type Order,
  type Pet,
  returnStock,
  type Status,
} from './stock.ts';

/** Adds a missing inventory entry to every pet, and missing defaults to pets and orders. */
export function complete(store: Store): void {
  const pets = store.collection('pets');
  for (const pet of [...pets.values()] as Partial<Pet>[]) {
    const item = store.collection('inventory').get(String(pet.id));
    const status = pet.status ?? (item?.status as Status | undefined) ?? 'available';
    const completed = { ...pet, status } as Pet;
    if (pet.status === undefined) pets.put(String(completed.id), completed);
    if (!item) addInventory(store, completed);
  }
  const orders = store.collection('orders');
  for (const order of [...orders.values()] as Partial<Order>[]) {
    if (order.quantity !== undefined && order.complete !== undefined) continue;
    orders.put(String(order.id), {
      ...order,
      quantity: order.quantity ?? 1,
      complete: order.complete ?? false,
    });
  }
}

/** Every way in which the entities contradict the rules. */
export function findContradictions(store: Store): Contradiction[] {
  const entities = <T>(resource: string) => [...store.collection(resource).values()] as T[];
  const has = ({ resource, key }: EntityName) => store.collection(resource).get(key) !== undefined;
  return [
    ...entities<Pet>('pets').flatMap((pet) => checkPet(pet, inventoryOf(store, pet.id), has)),
    ...entities<InventoryItem>('inventory').flatMap((item) => checkItem(item, has)),
    ...entities<Order>('orders').flatMap((order) => checkOrder(order, has)),
  ];
}

type Has = (name: EntityName) => boolean;

function checkPet(pet: Pet, { quantity, status }: InventoryItem, has: Has): Contradiction[] {
  const entity = nameOf('pets', pet.id);
  const category = nameOf('categories', pet.categoryId);
  const conflict = `pet ${pet.id} is ${pet.status}, but its inventory entry is ${status}`;
  const orphan = `pet ${pet.id} is in category ${pet.categoryId}, which does not exist`;
  return [
    ...(has(category) ? [] : [{ entity, missing: category, message: orphan }]),
    ...(status === pet.status ? [] : [{ entity, message: conflict }]),
    ...(quantity > 0 || pet.status !== 'available'
      ? []
      : [{ entity, message: `pet ${pet.id} is available, but has none in stock` }]),
  ];
}

function checkItem({ petId, quantity }: InventoryItem, has: Has): Contradiction[] {
  const entity = nameOf('inventory', petId);
  const pet = nameOf('pets', petId);
  const orphan = `there is an inventory entry for pet ${petId}, which does not exist`;
  return [
    ...(has(pet) ? [] : [{ entity, missing: pet, message: orphan }]),
    ...(quantity >= 0
      ? []
      : [{ entity, message: `the inventory entry of pet ${petId} has a quantity below 0` }]),
  ];
}

function checkOrder(order: Order, has: Has): Contradiction[] {
  const entity = nameOf('orders', order.id);
  const pet = nameOf('pets', order.petId);
  const orphan = `order ${order.id} is open, but its pet ${order.petId} does not exist`;
  return [
    ...(order.complete || has(pet) ? [] : [{ entity, missing: pet, message: orphan }]),
    ...(order.quantity >= 1 ? [] : [{ entity, message: `order ${order.id} has a quantity below 1` }]),
  ];
}

function nameOf(resource: string, key: Numeric): EntityName {
  return { resource, key: String(key) };
}

/** Returns the units of a dropped open order to stock, as if it had been cancelled. */
export function release(
  store: Store,
  { resource }: EntityName,
  dropped: Entity,
  restored: Entity | undefined,
): void {
  if (resource !== 'orders') return;
  const units = subtract(unitsOf(dropped), unitsOf(restored ?? {}));
  const { petId } = dropped as Order;
  if (units > 0 && store.collection('inventory').get(String(petId))) returnStock(store, petId, units);
}

/** How many units an order reserves. */
function unitsOf({ quantity = 0, complete }: Partial<Order>): Numeric {
  return complete ? 0 : quantity;
}
