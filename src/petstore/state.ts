import type { Numeric } from '../codecs/codecs.ts';
import type { Session } from '../store/store.ts';
import { addInventory, type InventoryItem, inventoryOf, type Order, type Pet, type Status } from './stock.ts';

/** Fills in what follows from the other entities: an inventory entry for every pet, and the defaults. */
export function complete(session: Session): void {
  const pets = session.collection('pets');
  for (const pet of [...pets.values()] as Partial<Pet>[]) {
    const item = session.collection('inventory').get(String(pet.id));
    const status = pet.status ?? (item?.status as Status | undefined) ?? 'available';
    const completed = { ...pet, status } as Pet;
    if (pet.status === undefined) pets.put(String(completed.id), completed);
    if (!item) addInventory(session, completed);
  }
  const orders = session.collection('orders');
  for (const order of [...orders.values()] as Partial<Order>[]) {
    if (order.quantity !== undefined && order.complete !== undefined) continue;
    orders.put(String(order.id), {
      ...order,
      quantity: order.quantity ?? 1,
      complete: order.complete ?? false,
    });
  }
}

/** A way in which the entities contradict the rules. */
export interface Contradiction {
  /** The entity that the message is about. */
  readonly entity: EntityName;
  /** The entity that would have to exist, if that is all there is to it. */
  readonly missing?: EntityName;
  readonly message: string;
}

export interface EntityName {
  readonly resource: string;
  readonly key: string;
}

/** Every way in which the entities contradict the rules. */
export function findContradictions(session: Session): Contradiction[] {
  const entities = <T>(resource: string) => [...session.collection(resource).values()] as T[];
  const has = ({ resource, key }: EntityName) => session.collection(resource).get(key) !== undefined;
  return [
    ...entities<Pet>('pets').flatMap((pet) => ofPet(pet, inventoryOf(session, pet.id), has)),
    ...entities<InventoryItem>('inventory').flatMap((item) => ofItem(item, has)),
    ...entities<Order>('orders').flatMap((order) => ofOrder(order, has)),
  ];
}

type Has = (name: EntityName) => boolean;

function ofPet(pet: Pet, { quantity, status }: InventoryItem, has: Has): Contradiction[] {
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

function ofItem({ petId, quantity }: InventoryItem, has: Has): Contradiction[] {
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

function ofOrder(order: Order, has: Has): Contradiction[] {
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
