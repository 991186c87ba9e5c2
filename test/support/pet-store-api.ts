// Generated from spec/openapi.yaml by openapi-typescript, see client.test.ts. Not to be edited.

export interface paths {
  '/pets': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List pets
     * @description Filters narrow the list, then it is sorted, then `offset` and `limit` cut one page out of it. Without `limit` the page is everything from `offset` on.
     */
    get: operations['listPets'];
    put?: never;
    /**
     * Add a pet
     * @description The pet gets the next id and, if the body names no status, is `available`. It also gets an inventory entry: one in stock if it is available, none if it is pending or sold. An `id` in the body is ignored.
     */
    post: operations['createPet'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/pets/{petId}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The id of a pet.
         * @example 1
         */
        petId: components['parameters']['PetId'];
      };
      cookie?: never;
    };
    /**
     * Get a pet
     * @deprecated
     * @description Deprecated: use `getPetProfile`, which answers the same pet together with its category and its stock. Every answer of this operation, errors included, carries the headers shown with the 200.
     */
    get: operations['getPet'];
    /**
     * Replace a pet
     * @description What the body leaves out is gone, but for the status: without one the pet keeps the status it has. A new status also becomes that of the inventory entry and leaves the stock as it is, so `available` needs stock. An `id` in the body must be the one in the path.
     */
    put: operations['replacePet'];
    post?: never;
    /**
     * Remove a pet
     * @description Its inventory entry goes with it; its completed orders stay as history. A pet with open orders cannot be removed.
     */
    delete: operations['deletePet'];
    options?: never;
    head?: never;
    /**
     * Change some fields of a pet
     * @description A JSON merge patch (RFC 7396): what the body leaves out stays. A new status also becomes that of the inventory entry and leaves the stock as it is, so `available` needs stock. The status `null` lets the stock decide: `available` if there is any, else `pending`.
     */
    patch: operations['updatePet'];
    trace?: never;
  };
  '/pets/{petId}/profile': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The id of a pet.
         * @example 1
         */
        petId: components['parameters']['PetId'];
      };
      cookie?: never;
    };
    /**
     * Get a pet with its category and stock
     * @description The successor of `getPet`. Beta, so fields may still be added to the answer.
     */
    get: operations['getPetProfile'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/categories': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List categories */
    get: operations['listCategories'];
    put?: never;
    /**
     * Add a category
     * @description The category gets the next id. An `id` in the body is ignored.
     */
    post: operations['createCategory'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/categories/{categoryId}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The id of a category.
         * @example 4
         */
        categoryId: components['parameters']['CategoryId'];
      };
      cookie?: never;
    };
    /** Get a category */
    get: operations['getCategory'];
    /**
     * Replace a category
     * @description What the body leaves out is gone. An `id` in the body must be the one in the path.
     */
    put: operations['replaceCategory'];
    post?: never;
    /**
     * Remove a category
     * @description A category that a pet belongs to cannot be removed.
     */
    delete: operations['deleteCategory'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/store/orders': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List orders */
    get: operations['listOrders'];
    put?: never;
    /**
     * Place an order
     * @description The order gets the next id and takes its quantity from the stock at once. When that takes the last one, the pet becomes `pending`, or `sold` if the order is placed as complete and the pet has no other open order. The stock is checked before the pet's status. An `id` in the body is ignored.
     */
    post: operations['placeOrder'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/store/orders/{orderId}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The id of an order.
         * @example 13
         */
        orderId: components['parameters']['OrderId'];
      };
      cookie?: never;
    };
    /** Get an order */
    get: operations['getOrder'];
    put?: never;
    post?: never;
    /**
     * Cancel an order
     * @description The order is removed and its quantity goes back into the stock, so the pet is `available` again. A completed order cannot be cancelled.
     */
    delete: operations['cancelOrder'];
    options?: never;
    head?: never;
    /**
     * Change or complete an order
     * @description A JSON merge patch (RFC 7396): what the body leaves out stays. A new quantity takes the difference from the stock or gives it back. Completing the last open order of a pet that has no stock left makes the pet `sold`. Of a completed order only `shipDate` can change. No order can be moved to another pet.
     */
    patch: operations['updateOrder'];
    trace?: never;
  };
  '/store/inventory': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List inventory entries */
    get: operations['listInventory'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/store/inventory/summary': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Count inventory entries by status
     * @description Counts entries, not animals. Experimental, so it may change or go without notice.
     */
    get: operations['getInventorySummary'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/store/inventory/{petId}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The id of a pet.
         * @example 1
         */
        petId: components['parameters']['PetId'];
      };
      cookie?: never;
    };
    /** Get the inventory entry of a pet */
    get: operations['getInventoryItem'];
    /**
     * Set the stock of a pet
     * @description More than 0 makes the pet and its entry `available`. Going from some to 0 makes them `pending`; an entry that was at 0 already keeps its status. A `petId` in the body must be the one in the path, and a `status` in it is ignored.
     */
    put: operations['updateInventory'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /**
     * @description Status of a pet and of its inventory entry.
     * @enum {string}
     */
    PetStatus: 'available' | 'pending' | 'sold';
    /** @description The input shape for creating a pet. */
    NewPet: {
      /** @description The animal's name */
      name: string;
      /**
       * Format: int64
       * @description ID of the category the animal belongs to
       */
      categoryId: number;
      /** @description Status of the pet */
      status?: components['schemas']['PetStatus'];
    };
    /** @description An animal for sale. */
    Pet: components['schemas']['NewPet'] & {
      /**
       * Format: int64
       * @description Unique identifier assigned on creation
       */
      id: number;
    };
    /** @description A list of pets. */
    Pets: components['schemas']['Pet'][];
    /** @description The input shape for creating a category. */
    NewCategory: {
      /** @description Category name, for example a kind of animal */
      name: string;
      /** @description Short description of the category */
      description?: string;
    };
    /** @description A grouping of animals. */
    Category: components['schemas']['NewCategory'] & {
      /**
       * Format: int64
       * @description Unique identifier assigned on creation
       */
      id: number;
    };
    /** @description A purchase of a pet. */
    Order: {
      /**
       * Format: int64
       * @description Unique order identifier
       */
      id?: number;
      /**
       * Format: int64
       * @description ID of the animal in this order
       */
      petId?: number;
      /** @description Number of units ordered */
      quantity?: number;
      /**
       * Format: date-time
       * @description Expected or actual ship date, ISO 8601
       */
      shipDate?: string;
      /** @description Whether the order has been fulfilled */
      complete?: boolean;
    };
    /** @description The stock count of one pet. */
    InventoryItem: {
      /**
       * Format: int64
       * @description ID of the animal this entry tracks
       */
      petId: number;
      /** @description Current stock count */
      quantity: number;
      /** @description Status of the entry */
      status: components['schemas']['PetStatus'];
    };
    /** @description The input shape for setting the stock of a pet. */
    InventoryUpdate: {
      /** @description The new stock count */
      quantity: number;
    };
    /** @description The body of every failure. */
    Error: {
      /** @description Machine-readable error code */
      code: string;
      /** @description Human-readable description of the error */
      message: string;
      /** @description The HTTP status code */
      status: number;
    };
    /** @description The fields of a pet that can change, each of them optional. */
    PetPatch: {
      /** @description The animal's name */
      name?: string;
      /**
       * Format: int64
       * @description ID of the category the animal belongs to
       */
      categoryId?: number;
      /**
       * @description Status of the pet; `null` lets the stock decide
       * @enum {string|null}
       */
      status?: 'available' | 'pending' | 'sold' | null;
    };
    /** @description A pet with its category and its inventory entry. */
    PetProfile: components['schemas']['Pet'] & {
      category: components['schemas']['Category'];
      inventory: components['schemas']['InventoryItem'];
    };
    /** @description A list of categories. */
    Categories: components['schemas']['Category'][];
    /** @description The input shape for placing an order. */
    NewOrder: {
      /**
       * Format: int64
       * @description ID of the animal to order
       */
      petId: number;
      /**
       * @description Number of units to order, at least 1
       * @default 1
       */
      quantity?: number;
      /**
       * Format: date-time
       * @description Expected ship date, ISO 8601
       */
      shipDate?: string;
      /**
       * @description Whether the order has been fulfilled already
       * @default false
       */
      complete?: boolean;
    };
    /** @description The fields of an order that can change, each of them optional. */
    OrderPatch: {
      /** @description Number of units ordered, at least 1 */
      quantity?: number;
      /**
       * Format: date-time
       * @description Expected or actual ship date, ISO 8601; `null` removes it
       */
      shipDate?: string | null;
      /** @description Whether the order has been fulfilled */
      complete?: boolean;
    };
    /** @description A list of orders. */
    Orders: components['schemas']['Order'][];
    /** @description A list of inventory entries. */
    Inventory: components['schemas']['InventoryItem'][];
    /** @description The number of inventory entries with each status. */
    InventorySummary: {
      /** @description Entries with stock that can be ordered */
      available: number;
      /** @description Entries whose stock is reserved or still to come */
      pending: number;
      /** @description Entries whose stock is sold */
      sold: number;
    };
  };
  responses: {
    /** @description Done. There is nothing more to say. */
    Deleted: {
      headers: {
        [name: string]: unknown;
      };
      content?: never;
    };
    /** @description The path holds no pet id. */
    InvalidPetId: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The path holds no pet id, or the body is not JSON. */
    InvalidPetIdOrBody: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The path holds no category id. */
    InvalidCategoryId: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The path holds no category id, or the body is not JSON. */
    InvalidCategoryIdOrBody: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The path holds no order id. */
    InvalidOrderId: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The path holds no order id, or the body is not JSON. */
    InvalidOrderIdOrBody: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description A query parameter has a value that it cannot have. */
    InvalidStatusFilter: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description A query parameter has a value that it cannot have. */
    InvalidOrderFilter: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The body is not JSON. */
    MalformedBody: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description No pet has this id. */
    PetNotFound: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description No category has this id. */
    CategoryNotFound: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description No order has this id. */
    OrderNotFound: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description No inventory entry tracks a pet with this id. */
    InventoryNotFound: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The `Accept` header allows no media type that the operation can answer with. */
    NotAcceptable: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The body is larger than 1 MiB. */
    BodyTooLarge: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The operation does not take this media type. */
    UnsupportedMediaType: {
      headers: {
        Accept: components['headers']['AcceptedTypes'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The operation does not take this media type. */
    UnsupportedPatchType: {
      headers: {
        Accept: components['headers']['AcceptedPatchTypes'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The pet cannot be available, since there is none in stock. */
    PetOutOfStock: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The pet has open orders. */
    PetHasOpenOrders: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description Pets belong to the category. */
    CategoryInUse: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description There is not enough stock, or the pet is not available. */
    OrderRefused: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The order is completed, or there is not enough stock for the new quantity. */
    OrderChangeRefused: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The order is completed. */
    OrderCompleted: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The body breaks its schema, or names a category that does not exist. */
    InvalidPet: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The body breaks its schema. */
    InvalidCategory: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The body breaks its schema, names a pet that does not exist, or orders less than 1. */
    InvalidOrder: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The body breaks its schema, or orders less than 1. */
    InvalidOrderChange: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description The body breaks its schema, or the stock would be negative. */
    InvalidStock: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
    /** @description Any other failure. */
    UnexpectedError: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'];
      };
    };
  };
  parameters: {
    /**
     * @description The id of a pet.
     * @example 1
     */
    PetId: number;
    /**
     * @description The id of a category.
     * @example 4
     */
    CategoryId: number;
    /**
     * @description The id of an order.
     * @example 13
     */
    OrderId: number;
    /**
     * @description Only what has this status. Repeatable, `?status=available&status=pending` means either of them.
     * @example [
     *       "available",
     *       "pending"
     *     ]
     */
    StatusFilter: components['schemas']['PetStatus'][];
    /**
     * @description Only the pets of this category.
     * @example 4
     */
    CategoryFilter: number;
    /**
     * @description The field to sort by, descending with a leading `-`. Pets that are equal in it, and all pets without it, are in the order of their ids.
     * @example -name
     */
    PetSort: 'id' | '-id' | 'name' | '-name' | 'categoryId' | '-categoryId' | 'status' | '-status';
    /**
     * @description The most pets a page may have. Without it there is one page with everything.
     * @example 3
     */
    Limit: number;
    /**
     * @description How many pets to skip.
     * @example 0
     */
    Offset: number;
    /**
     * @description Only the orders of this pet.
     * @example 26
     */
    PetFilter: number;
    /**
     * @description Only the orders that have (`true`) or have not (`false`) been fulfilled.
     * @example false
     */
    CompleteFilter: boolean;
  };
  requestBodies: {
    CreatePet: {
      content: {
        'application/json': components['schemas']['NewPet'];
      };
    };
    ReplacePet: {
      content: {
        'application/json': components['schemas']['NewPet'];
      };
    };
    UpdatePet: {
      content: {
        'application/merge-patch+json': components['schemas']['PetPatch'];
        'application/json': components['schemas']['PetPatch'];
      };
    };
    CreateCategory: {
      content: {
        'application/json': components['schemas']['NewCategory'];
      };
    };
    ReplaceCategory: {
      content: {
        'application/json': components['schemas']['NewCategory'];
      };
    };
    PlaceOrder: {
      content: {
        'application/json': components['schemas']['NewOrder'];
      };
    };
    UpdateOrder: {
      content: {
        'application/merge-patch+json': components['schemas']['OrderPatch'];
        'application/json': components['schemas']['OrderPatch'];
      };
    };
    UpdateInventory: {
      content: {
        'application/json': components['schemas']['InventoryUpdate'];
      };
    };
  };
  headers: {
    /** @description The path of what was created, for example `/pets/29`. */
    Location: string;
    /**
     * @description How many pets pass the filters, on all pages together.
     * @example 28
     */
    TotalCount: number;
    /**
     * @description The other pages (RFC 8288), as `first`, `prev`, `next` and `last`, with the same filters and the same order. The first page has no `prev`, the last one no `next`.
     * @example </pets?limit=3&offset=0>; rel="first", </pets?limit=3&offset=3>; rel="next", </pets?limit=3&offset=27>; rel="last"
     */
    PageLinks: string;
    /**
     * @description Since when the operation is deprecated (RFC 9745), in seconds since 1970.
     * @example @1780272000
     */
    Deprecation: string;
    /**
     * @description When the operation will be gone (RFC 8594), as an HTTP date.
     * @example Wed, 30 Jun 2027 00:00:00 GMT
     */
    Sunset: string;
    /**
     * @description Where to read about the deprecation and the sunset, and the operation to use instead.
     * @example </pets/1/profile>; rel="successor-version", <https://petstore.example/deprecations#getPet>; rel="deprecation"; type="text/html", <https://petstore.example/deprecations#sunset-policy>; rel="sunset"; type="text/html"
     */
    DeprecationLinks: string;
    /**
     * @description The same in a sentence, with the warn code 299 (miscellaneous persistent warning).
     * @example 299 - "GET /pets/{petId} is deprecated and ends on 2027-06-30, use GET /pets/{petId}/profile"
     */
    Warning: string;
    /** @description How far the operation can be relied on, `beta` or `experimental`. */
    Stability: string;
    /**
     * @description The media types that the operation takes.
     * @example application/json
     */
    AcceptedTypes: string;
    /**
     * @description The media types that the operation takes.
     * @example application/merge-patch+json, application/json
     */
    AcceptedPatchTypes: string;
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  listPets: {
    parameters: {
      query?: {
        /**
         * @description Only what has this status. Repeatable, `?status=available&status=pending` means either of them.
         * @example [
         *       "available",
         *       "pending"
         *     ]
         */
        status?: components['parameters']['StatusFilter'];
        /**
         * @description Only the pets of this category.
         * @example 4
         */
        categoryId?: components['parameters']['CategoryFilter'];
        /**
         * @description The field to sort by, descending with a leading `-`. Pets that are equal in it, and all pets without it, are in the order of their ids.
         * @example -name
         */
        sort?: components['parameters']['PetSort'];
        /**
         * @description The most pets a page may have. Without it there is one page with everything.
         * @example 3
         */
        limit?: components['parameters']['Limit'];
        /**
         * @description How many pets to skip.
         * @example 0
         */
        offset?: components['parameters']['Offset'];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The pets of this page. */
      200: {
        headers: {
          'X-Total-Count': components['headers']['TotalCount'];
          Link: components['headers']['PageLinks'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Pets'];
        };
      };
      400: components['responses']['InvalidStatusFilter'];
      406: components['responses']['NotAcceptable'];
      default: components['responses']['UnexpectedError'];
    };
  };
  createPet: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: components['requestBodies']['CreatePet'];
    responses: {
      /** @description The pet was added. */
      201: {
        headers: {
          Location: components['headers']['Location'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Pet'];
        };
      };
      400: components['responses']['MalformedBody'];
      406: components['responses']['NotAcceptable'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['InvalidPet'];
      default: components['responses']['UnexpectedError'];
    };
  };
  getPet: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The id of a pet.
         * @example 1
         */
        petId: components['parameters']['PetId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The pet. */
      200: {
        headers: {
          Deprecation: components['headers']['Deprecation'];
          Sunset: components['headers']['Sunset'];
          Link: components['headers']['DeprecationLinks'];
          Warning: components['headers']['Warning'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Pet'];
        };
      };
      400: components['responses']['InvalidPetId'];
      404: components['responses']['PetNotFound'];
      406: components['responses']['NotAcceptable'];
      default: components['responses']['UnexpectedError'];
    };
  };
  replacePet: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The id of a pet.
         * @example 1
         */
        petId: components['parameters']['PetId'];
      };
      cookie?: never;
    };
    requestBody: components['requestBodies']['ReplacePet'];
    responses: {
      /** @description The pet as it is now. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Pet'];
        };
      };
      400: components['responses']['InvalidPetIdOrBody'];
      404: components['responses']['PetNotFound'];
      406: components['responses']['NotAcceptable'];
      409: components['responses']['PetOutOfStock'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['InvalidPet'];
      default: components['responses']['UnexpectedError'];
    };
  };
  deletePet: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The id of a pet.
         * @example 1
         */
        petId: components['parameters']['PetId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: components['responses']['Deleted'];
      400: components['responses']['InvalidPetId'];
      404: components['responses']['PetNotFound'];
      409: components['responses']['PetHasOpenOrders'];
      default: components['responses']['UnexpectedError'];
    };
  };
  updatePet: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The id of a pet.
         * @example 1
         */
        petId: components['parameters']['PetId'];
      };
      cookie?: never;
    };
    requestBody: components['requestBodies']['UpdatePet'];
    responses: {
      /** @description The pet as it is now. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Pet'];
        };
      };
      400: components['responses']['InvalidPetIdOrBody'];
      404: components['responses']['PetNotFound'];
      406: components['responses']['NotAcceptable'];
      409: components['responses']['PetOutOfStock'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedPatchType'];
      422: components['responses']['InvalidPet'];
      default: components['responses']['UnexpectedError'];
    };
  };
  getPetProfile: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The id of a pet.
         * @example 1
         */
        petId: components['parameters']['PetId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The pet, its category and its inventory entry. */
      200: {
        headers: {
          'X-Stability': components['headers']['Stability'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['PetProfile'];
        };
      };
      400: components['responses']['InvalidPetId'];
      404: components['responses']['PetNotFound'];
      406: components['responses']['NotAcceptable'];
      default: components['responses']['UnexpectedError'];
    };
  };
  listCategories: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Every category. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Categories'];
        };
      };
      406: components['responses']['NotAcceptable'];
      default: components['responses']['UnexpectedError'];
    };
  };
  createCategory: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: components['requestBodies']['CreateCategory'];
    responses: {
      /** @description The category was added. */
      201: {
        headers: {
          Location: components['headers']['Location'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Category'];
        };
      };
      400: components['responses']['MalformedBody'];
      406: components['responses']['NotAcceptable'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['InvalidCategory'];
      default: components['responses']['UnexpectedError'];
    };
  };
  getCategory: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The id of a category.
         * @example 4
         */
        categoryId: components['parameters']['CategoryId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The category. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Category'];
        };
      };
      400: components['responses']['InvalidCategoryId'];
      404: components['responses']['CategoryNotFound'];
      406: components['responses']['NotAcceptable'];
      default: components['responses']['UnexpectedError'];
    };
  };
  replaceCategory: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The id of a category.
         * @example 4
         */
        categoryId: components['parameters']['CategoryId'];
      };
      cookie?: never;
    };
    requestBody: components['requestBodies']['ReplaceCategory'];
    responses: {
      /** @description The category as it is now. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Category'];
        };
      };
      400: components['responses']['InvalidCategoryIdOrBody'];
      404: components['responses']['CategoryNotFound'];
      406: components['responses']['NotAcceptable'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['InvalidCategory'];
      default: components['responses']['UnexpectedError'];
    };
  };
  deleteCategory: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The id of a category.
         * @example 4
         */
        categoryId: components['parameters']['CategoryId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: components['responses']['Deleted'];
      400: components['responses']['InvalidCategoryId'];
      404: components['responses']['CategoryNotFound'];
      409: components['responses']['CategoryInUse'];
      default: components['responses']['UnexpectedError'];
    };
  };
  listOrders: {
    parameters: {
      query?: {
        /**
         * @description Only the orders of this pet.
         * @example 26
         */
        petId?: components['parameters']['PetFilter'];
        /**
         * @description Only the orders that have (`true`) or have not (`false`) been fulfilled.
         * @example false
         */
        complete?: components['parameters']['CompleteFilter'];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The orders that pass the filters. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Orders'];
        };
      };
      400: components['responses']['InvalidOrderFilter'];
      406: components['responses']['NotAcceptable'];
      default: components['responses']['UnexpectedError'];
    };
  };
  placeOrder: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: components['requestBodies']['PlaceOrder'];
    responses: {
      /** @description The order was placed. */
      201: {
        headers: {
          Location: components['headers']['Location'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Order'];
        };
      };
      400: components['responses']['MalformedBody'];
      406: components['responses']['NotAcceptable'];
      409: components['responses']['OrderRefused'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['InvalidOrder'];
      default: components['responses']['UnexpectedError'];
    };
  };
  getOrder: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The id of an order.
         * @example 13
         */
        orderId: components['parameters']['OrderId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The order. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Order'];
        };
      };
      400: components['responses']['InvalidOrderId'];
      404: components['responses']['OrderNotFound'];
      406: components['responses']['NotAcceptable'];
      default: components['responses']['UnexpectedError'];
    };
  };
  cancelOrder: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The id of an order.
         * @example 13
         */
        orderId: components['parameters']['OrderId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      204: components['responses']['Deleted'];
      400: components['responses']['InvalidOrderId'];
      404: components['responses']['OrderNotFound'];
      409: components['responses']['OrderCompleted'];
      default: components['responses']['UnexpectedError'];
    };
  };
  updateOrder: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The id of an order.
         * @example 13
         */
        orderId: components['parameters']['OrderId'];
      };
      cookie?: never;
    };
    requestBody: components['requestBodies']['UpdateOrder'];
    responses: {
      /** @description The order as it is now. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Order'];
        };
      };
      400: components['responses']['InvalidOrderIdOrBody'];
      404: components['responses']['OrderNotFound'];
      406: components['responses']['NotAcceptable'];
      409: components['responses']['OrderChangeRefused'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedPatchType'];
      422: components['responses']['InvalidOrderChange'];
      default: components['responses']['UnexpectedError'];
    };
  };
  listInventory: {
    parameters: {
      query?: {
        /**
         * @description Only what has this status. Repeatable, `?status=available&status=pending` means either of them.
         * @example [
         *       "available",
         *       "pending"
         *     ]
         */
        status?: components['parameters']['StatusFilter'];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The entries that pass the filter. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Inventory'];
        };
      };
      400: components['responses']['InvalidStatusFilter'];
      406: components['responses']['NotAcceptable'];
      default: components['responses']['UnexpectedError'];
    };
  };
  getInventorySummary: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description How many entries have each status. */
      200: {
        headers: {
          'X-Stability': components['headers']['Stability'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['InventorySummary'];
        };
      };
      406: components['responses']['NotAcceptable'];
      default: components['responses']['UnexpectedError'];
    };
  };
  getInventoryItem: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The id of a pet.
         * @example 1
         */
        petId: components['parameters']['PetId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The inventory entry. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['InventoryItem'];
        };
      };
      400: components['responses']['InvalidPetId'];
      404: components['responses']['InventoryNotFound'];
      406: components['responses']['NotAcceptable'];
      default: components['responses']['UnexpectedError'];
    };
  };
  updateInventory: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The id of a pet.
         * @example 1
         */
        petId: components['parameters']['PetId'];
      };
      cookie?: never;
    };
    requestBody: components['requestBodies']['UpdateInventory'];
    responses: {
      /** @description The inventory entry as it is now. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['InventoryItem'];
        };
      };
      400: components['responses']['InvalidPetIdOrBody'];
      404: components['responses']['InventoryNotFound'];
      406: components['responses']['NotAcceptable'];
      413: components['responses']['BodyTooLarge'];
      415: components['responses']['UnsupportedMediaType'];
      422: components['responses']['InvalidStock'];
      default: components['responses']['UnexpectedError'];
    };
  };
}
