/** The code under test: what a shop does with the pet store. */
export interface Pet {
  readonly id: number;
  readonly name: string;
  readonly status: string;
}

/** Buys a pet. Returns `undefined` if somebody else was faster. */
export async function buy(api: string, petId: number): Promise<Pet | undefined> {
  const ordered = await fetch(`${api}/store/orders`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ petId, quantity: 1 }),
  });
  if (ordered.status === 409) return undefined;
  if (!ordered.ok) throw new Error(`The pet store answered ${ordered.status}.`);
  return findPet(api, petId);
}

/** Reads a pet, and tries again once where the store is overloaded. */
export async function findPet(api: string, petId: number): Promise<Pet> {
  const read = () => fetch(`${api}/pets/${petId}`);
  const first = await read();
  const response = first.status === 503 ? await read() : first;
  return (await response.json()) as Pet;
}
