import { subtract } from '../base/number.ts';
import { Problem } from '../base/problem.ts';
import type { ResourceModel } from '../model/resources/resources.ts';
import {
  type Action,
  type ActionContext,
  checkSame,
  GENERIC_ACTIONS,
  putEntity,
  type Rules,
  readEntity,
  toCreated,
  toMergedEntity,
  toNewEntity,
  toReplacedEntity,
} from '../state/actions/actions.ts';
import { type Entity, joinEntities, type Store } from '../state/store/store.ts';
import { complete, findContradictions, release } from './state.ts';
import {
  addInventory,
  type InventoryItem,
  invalidQuantity,
  inventoryOf,
  markSoldOut,
  type Order,
  openOrders,
  type Pet,
  putInventory,
  requireAvailable,
  requirePositive,
  requireStock,
  returnStock,
  type Status,
  setStock,
  takeStock,
} from './stock.ts';

/** The resources of a pet store, with the properties that the rules need. */
const RESOURCES: Readonly<Record<string, readonly string[]>> = {
  pets: ['id', 'categoryId', 'status'],
  categories: ['id'],
  orders: ['id', 'petId', 'quantity', 'complete'],
  inventory: ['petId', 'quantity', 'status'],
};

/** The rules of the pet store; `undefined` for any other document. */
export function petstoreRules(model: ResourceModel): Rules | undefined {
  const isPetstore = Object.entries(RESOURCES).every(([name, needed]) => {
    const properties = model.resources.get(name)?.properties ?? [];
    return needed.every((property) => properties.includes(property));
  });
  if (!isPetstore) return undefined;
  return { actions: new Map(Object.entries(ACTIONS_BY_NAME)), complete, findContradictions, release };
}

const ACTIONS_BY_NAME: Readonly<Record<string, Action>> = {
  'create pets'(context) {
    const requested = toNewEntity(context) as Pet;
    requireCategory(context.store, requested);
    const status = requested.status ?? 'available';
    const pet = putEntity(context, joinEntities(requested, { status })) as Pet;
    addInventory(context.store, pet);
    return toCreated(context, pet);
  },

  'replace pets'(context) {
    const pet = toReplacedEntity(context) as Pet;
    requireCategory(context.store, pet);
    const current = readEntity(context) as Pet;
    return { body: putPet(context, { ...pet, status: pet.status ?? current.status }) };
  },

  'update pets'(context) {
    const pet = toMergedEntity(context) as Pet;
    requireCategory(context.store, pet);
    const { quantity } = inventoryOf(context.store, pet.id);
    const status = pet.status ?? (quantity > 0 ? 'available' : 'pending');
    return { body: putPet(context, { ...pet, status }) };
  },

  'remove pets'(context) {
    const { id } = readEntity(context) as Pet;
    const open = openOrders(context.store, id);
    if (open.length > 0) {
      const ids = open.map((order) => order.id).join(', ');
      const message = `Pet ${id} has open orders (${ids}). Complete or cancel them first.`;
      throw new Problem(409, 'pet_has_open_orders', message);
    }
    context.store.collection('inventory').delete(String(id));
    return GENERIC_ACTIONS.remove(context);
  },

  getPetProfile(context) {
    const { store } = context;
    const pet = readEntity(context) as Pet;
    const category = store.collection('categories').get(String(pet.categoryId));
    return { body: { ...pet, category, inventory: inventoryOf(store, pet.id) } };
  },

  'remove categories'(context) {
    const { id } = readEntity(context);
    const pets = context.store.collection('pets').count('categoryId', id);
    if (pets > 0) {
      const message = `Category ${id} has ${pets} pets. Move or delete them first.`;
      throw new Problem(409, 'category_in_use', message);
    }
    return GENERIC_ACTIONS.remove(context);
  },

  'create orders'(context) {
    const { store } = context;
    const requested = toNewEntity(context) as Order;
    const { petId } = requested;
    if (!store.collection('pets').get(String(petId))) {
      throw new Problem(422, 'unknown_pet', `body.petId: no pet has the id ${petId}.`);
    }
    const quantity = requested.quantity ?? 1;
    const complete = requested.complete ?? false;
    requireStock(store, petId, requirePositive(quantity));
    requireAvailable(store, petId);
    const order = putEntity(context, joinEntities(requested, { quantity, complete })) as Order;
    takeStock(store, petId, quantity);
    if (complete) markSoldOut(store, petId);
    return toCreated(context, order);
  },

  'update orders'(context) {
    const { store } = context;
    const current = readEntity(context) as Order;
    const requested = toMergedEntity(context) as Order;
    checkSame('petId', current.petId, requested.petId);
    if (current.complete) requireUnchanged(current, requested);
    const more = subtract(requirePositive(requested.quantity), current.quantity);
    if (more > 0) requireStock(store, current.petId, more);
    const order = putEntity(context, requested) as Order;
    if (more > 0) takeStock(store, order.petId, more);
    if (more < 0) returnStock(store, order.petId, subtract(0, more));
    if (order.complete && !current.complete) markSoldOut(store, order.petId);
    return { body: order };
  },

  'remove orders'(context) {
    const order = readEntity(context) as Order;
    if (order.complete) {
      throw new Problem(409, 'order_completed', `Order ${order.id} is completed, so it can't be cancelled.`);
    }
    const outcome = GENERIC_ACTIONS.remove(context);
    returnStock(context.store, order.petId, order.quantity);
    return outcome;
  },

  'replace inventory'(context) {
    const current = readEntity(context) as InventoryItem;
    const item = toReplacedEntity(context) as InventoryItem;
    if (item.quantity < 0) throw invalidQuantity(item.quantity, 'must be at least 0');
    const withoutStock = current.quantity > 0 ? 'pending' : current.status;
    const status = item.quantity > 0 ? 'available' : withoutStock;
    return { body: setStock(context.store, { ...item, status }) };
  },

  getInventorySummary({ store }) {
    const count = (status: Status) => store.collection('inventory').count('status', status);
    return { body: { available: count('available'), pending: count('pending'), sold: count('sold') } };
  },
};

/** Stores a pet, and sets the status of its inventory entry to that of the pet. */
function putPet(context: ActionContext, pet: Pet): Entity {
  const item = inventoryOf(context.store, pet.id);
  if (pet.status === 'available' && item.quantity === 0) {
    const remedy = `Restock it first: PUT the inventory entry of pet ${pet.id} with a quantity above 0.`;
    const message = `Pet ${pet.id} has none in stock, so it can't be available. ${remedy}`;
    throw new Problem(409, 'out_of_stock', message);
  }
  const stored = putEntity(context, pet);
  putInventory(context.store, { ...item, status: pet.status });
  return stored;
}

function requireCategory(store: Store, { categoryId }: Pet): void {
  if (store.collection('categories').get(String(categoryId))) return;
  throw new Problem(422, 'unknown_category', `body.categoryId: no category has the id ${categoryId}.`);
}

function requireUnchanged(current: Order, requested: Order): void {
  if (requested.complete && requested.quantity === current.quantity) return;
  const change = requested.complete ? 'change its quantity' : 'be reopened';
  throw new Problem(409, 'order_completed', `Order ${current.id} is completed, so it can't ${change}.`);
}
