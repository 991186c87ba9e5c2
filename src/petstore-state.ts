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

/** Every way in which the entities contradict the rules, one sentence each. */
export function findContradictions(session: Session): string[] {
  const pets = session.collection('pets');
  const ofPets = ([...pets.values()] as Pet[]).flatMap((pet) => {
    const { quantity, status } = inventoryOf(session, pet.id);
    return [
      ...(session.collection('categories').get(String(pet.categoryId))
        ? []
        : [`pet ${pet.id} is in category ${pet.categoryId}, which does not exist`]),
      ...(status === pet.status
        ? []
        : [`pet ${pet.id} is ${pet.status}, but its inventory entry is ${status}`]),
      ...(quantity >= 0 ? [] : [`the inventory entry of pet ${pet.id} has a quantity below 0`]),
      ...(quantity > 0 || pet.status !== 'available'
        ? []
        : [`pet ${pet.id} is available, but has none in stock`]),
    ];
  });
  const ofInventory = ([...session.collection('inventory').values()] as InventoryItem[])
    .filter(({ petId }) => !pets.get(String(petId)))
    .map(({ petId }) => `there is an inventory entry for pet ${petId}, which does not exist`);
  const ofOrders = ([...session.collection('orders').values()] as Order[]).flatMap((order) => [
    ...(order.complete || pets.get(String(order.petId))
      ? []
      : [`order ${order.id} is open, but its pet ${order.petId} does not exist`]),
    ...(order.quantity >= 1 ? [] : [`order ${order.id} has a quantity below 1`]),
  ]);
  return [...ofPets, ...ofInventory, ...ofOrders];
}
