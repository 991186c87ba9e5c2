/** The code under test: counts the pets that can be bought. */
async function countAvailable(api) {
  const response = await fetch(`${api}/pets?status=available&limit=1`);
  if (!response.ok) throw new Error(`The pet store answered ${response.status}.`);
  return Number(response.headers.get('X-Total-Count'));
}

module.exports = { countAvailable };
