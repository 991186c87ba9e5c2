const API = 'https://api.example.com/v1';

/** Buys one pet. Its address stands in the code, as in many programs. */
export async function buy(petId) {
  const response = await fetch(`${API}/store/orders`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ petId, quantity: 1 }),
  });
  if (!response.ok) throw new Error((await response.json()).message);
  return response.json();
}

/** The rate of another service, which the mock does not know. */
export async function toEuros(dollars) {
  const rate = await fetch('https://rates.example.com/usd-eur');
  return dollars * (await rate.json());
}
