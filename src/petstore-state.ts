import {
  addInventory,
  type InventoryItem,
  inventoryOf,
  type Order,
  type Pet,
  type Status,
} from './petstore-stock.ts';
import type { Session } from './store.ts';

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
  readonly resource: string;
  readonly key: string;
  /** A sentence about the entity with this key. */
  readonly message: string;
}

/** Every way in which the entities contradict the rules. */
export function findContradictions(session: Session): Contradiction[] {
  const entities = <T>(resource: string) => [...session.collection(resource).values()] as T[];
  const has = (resource: string, key: unknown) => session.collection(resource).get(String(key)) !== undefined;
  return [
    ...entities<Pet>('pets').flatMap((pet) => {
      const { quantity, status } = inventoryOf(session, pet.id);
      return check('pets', pet.id, {
        [`pet ${pet.id} is in category ${pet.categoryId}, which does not exist`]: has(
          'categories',
          pet.categoryId,
        ),
        [`pet ${pet.id} is ${pet.status}, but its inventory entry is ${status}`]: status === pet.status,
        [`pet ${pet.id} is available, but has none in stock`]: quantity > 0 || pet.status !== 'available',
      });
    }),
    ...entities<InventoryItem>('inventory').flatMap(({ petId, quantity }) =>
      check('inventory', petId, {
        [`there is an inventory entry for pet ${petId}, which does not exist`]: has('pets', petId),
        [`the inventory entry of pet ${petId} has a quantity below 0`]: quantity >= 0,
      }),
    ),
    ...entities<Order>('orders').flatMap(({ id, petId, quantity, complete: completed }) =>
      check('orders', id, {
        [`order ${id} is open, but its pet ${petId} does not exist`]: completed || has('pets', petId),
        [`order ${id} has a quantity below 1`]: quantity >= 1,
      }),
    ),
  ];
}

/** A contradiction for each sentence whose condition does not hold. */
function check(resource: string, key: number, conditions: Record<string, boolean>): Contradiction[] {
  return Object.entries(conditions)
    .filter(([, holds]) => !holds)
    .map(([message]) => ({ resource, key: String(key), message }));
}
