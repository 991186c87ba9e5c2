import {
  ACTIONS,
  type Action,
  type ActionContext,
  checkSame,
  putEntity,
  type Rules,
  readEntity,
  toCreated,
  toMergedEntity,
  toNewEntity,
  toReplacedEntity,
} from '../actions/actions.ts';
import type { Outcome } from '../message.ts';
import { subtract } from '../number.ts';
import { Problem } from '../problem.ts';
import type { ResourceModel } from '../resources/resources.ts';
import { type Entity, joinEntities, type Store } from '../store/store.ts';
import { complete, findContradictions, release } from './state.ts';
import {
  addInventory,
  giveBack,
  type InventoryItem,
  invalidQuantity,
  inventoryOf,
  type Order,
  openOrders,
  type Pet,
  putInventory,
  requireAvailable,
  requirePositive,
  requireStock,
  type Status,
  setStock,
  settle,
  takeStock,
} from './stock.ts';

/** What makes a document a pet store: its resources, and the properties that the rules work on. */
const RESOURCES: Readonly<Record<string, readonly string[]>> = {
  pets: ['id', 'categoryId', 'status'],
  categories: ['id'],
  orders: ['id', 'petId', 'quantity', 'complete'],
  inventory: ['petId', 'quantity', 'status'],
};

/** The rules, if the document is a pet store; else none. */
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
    const asked = toNewEntity(context) as Pet;
    requireCategory(context.store, asked);
    const pet = putEntity(context, joinEntities(asked, { status: asked.status ?? 'available' })) as Pet;
    addInventory(context.store, pet);
    return toCreated(context, pet);
  },

  'replace pets'(context) {
    const asked = toReplacedEntity(context) as Pet;
    requireCategory(context.store, asked);
    const { status } = readEntity(context) as Pet;
    return { body: putPet(context, { ...asked, status: asked.status ?? status }) };
  },

  'update pets'(context) {
    const asked = toMergedEntity(context) as Pet;
    requireCategory(context.store, asked);
    const { quantity } = inventoryOf(context.store, asked.id);
    return {
      body: putPet(context, { ...asked, status: asked.status ?? (quantity > 0 ? 'available' : 'pending') }),
    };
  },

  'remove pets'(context) {
    const { id } = readEntity(context) as Pet;
    const open = openOrders(context.store, id);
    if (open.length > 0) {
      const ids = open.map((order) => order.id).join(', ');
      throw new Problem(
        409,
        'pet_has_open_orders',
        `Pet ${id} has open orders (${ids}). Complete or cancel them first.`,
      );
    }
    context.store.collection('inventory').delete(String(id));
    return ACTIONS.remove(context);
  },

  getPetProfile: readProfile,

  'remove categories'(context) {
    const { id } = readEntity(context);
    const pets = context.store.collection('pets').count('categoryId', id);
    if (pets > 0) {
      throw new Problem(
        409,
        'category_in_use',
        `Category ${id} has ${pets} pets. Move or delete them first.`,
      );
    }
    return ACTIONS.remove(context);
  },

  'create orders'(context) {
    const { store } = context;
    const asked = toNewEntity(context) as Order;
    if (!store.collection('pets').get(String(asked.petId))) {
      throw new Problem(422, 'unknown_pet', `body.petId: no pet has the id ${asked.petId}.`);
    }
    const order = joinEntities(asked, {
      quantity: asked.quantity ?? 1,
      complete: asked.complete ?? false,
    }) as Order;
    requireStock(store, order.petId, requirePositive(order.quantity));
    requireAvailable(store, order.petId);
    const placed = putEntity(context, order) as Order;
    takeStock(store, placed.petId, placed.quantity);
    if (placed.complete) settle(store, placed.petId);
    return toCreated(context, placed);
  },

  'update orders'(context) {
    const { store } = context;
    const current = readEntity(context) as Order;
    const asked = toMergedEntity(context) as Order;
    checkSame('petId', current.petId, asked.petId);
    if (current.complete) requireUnchanged(current, asked);
    const more = subtract(requirePositive(asked.quantity), current.quantity);
    if (more > 0) requireStock(store, current.petId, more);
    const order = putEntity(context, asked) as Order;
    if (more > 0) takeStock(store, order.petId, more);
    if (more < 0) giveBack(store, order.petId, subtract(0, more));
    if (order.complete && !current.complete) settle(store, order.petId);
    return { body: order };
  },

  'remove orders'(context) {
    const order = readEntity(context) as Order;
    if (order.complete) {
      throw new Problem(409, 'order_completed', `Order ${order.id} is completed, so it can't be cancelled.`);
    }
    const outcome = ACTIONS.remove(context);
    giveBack(context.store, order.petId, order.quantity);
    return outcome;
  },

  'replace inventory'(context) {
    const { quantity: current, status: now } = readEntity(context) as InventoryItem;
    const asked = toReplacedEntity(context) as InventoryItem;
    if (asked.quantity < 0) throw invalidQuantity(asked.quantity, 'must be at least 0');
    const left = current > 0 ? 'pending' : now;
    return { body: setStock(context.store, { ...asked, status: asked.quantity > 0 ? 'available' : left }) };
  },

  getInventorySummary({ store }) {
    const count = (status: Status) => store.collection('inventory').count('status', status);
    return { body: { available: count('available'), pending: count('pending'), sold: count('sold') } };
  },
};

function readProfile(context: ActionContext): Outcome {
  const pet = readEntity(context) as Pet;
  return {
    body: {
      ...pet,
      category: context.store.collection('categories').get(String(pet.categoryId)),
      inventory: inventoryOf(context.store, pet.id),
    },
  };
}

/** Stores a pet, its inventory entry following its status. */
function putPet(context: ActionContext, pet: Pet): Entity {
  const item = inventoryOf(context.store, pet.id);
  if (pet.status === 'available' && item.quantity === 0) {
    const remedy = `Restock it first: PUT the inventory entry of pet ${pet.id} with a quantity above 0.`;
    throw new Problem(
      409,
      'out_of_stock',
      `Pet ${pet.id} has none in stock, so it can't be available. ${remedy}`,
    );
  }
  const stored = putEntity(context, pet);
  putInventory(context.store, { ...item, status: pet.status });
  return stored;
}

function requireCategory(store: Store, { categoryId }: Pet): void {
  if (store.collection('categories').get(String(categoryId))) return;
  throw new Problem(422, 'unknown_category', `body.categoryId: no category has the id ${categoryId}.`);
}

function requireUnchanged(current: Order, asked: Order): void {
  if (asked.complete && asked.quantity === current.quantity) return;
  const what = asked.complete ? 'change its quantity' : 'be reopened';
  throw new Problem(409, 'order_completed', `Order ${current.id} is completed, so it can't ${what}.`);
}
