/** A town with its location. */
export interface Town {
  readonly city: string;
  /** Its state or province. */
  readonly region: string;
  readonly country: string;
  readonly code: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly zone: string;
}

/** Towns of countries whose postal codes have five digits. */
const TOWNS: readonly Town[] = `
Portland|Oregon|United States|US|45.52|-122.68|America/Los_Angeles
Austin|Texas|United States|US|30.27|-97.74|America/Chicago
Burlington|Vermont|United States|US|44.48|-73.21|America/New_York
Chicago|Illinois|United States|US|41.88|-87.63|America/Chicago
Guadalajara|Jalisco|Mexico|MX|20.67|-103.35|America/Mexico_City
Puebla|Puebla|Mexico|MX|19.04|-98.21|America/Mexico_City
Hamburg|Hamburg|Germany|DE|53.55|9.99|Europe/Berlin
Leipzig|Saxony|Germany|DE|51.34|12.37|Europe/Berlin
Lyon|Auvergne-Rhône-Alpes|France|FR|45.76|4.84|Europe/Paris
Nantes|Pays de la Loire|France|FR|47.22|-1.55|Europe/Paris
Bologna|Emilia-Romagna|Italy|IT|44.49|11.34|Europe/Rome
Turin|Piedmont|Italy|IT|45.07|7.69|Europe/Rome
Seville|Andalusia|Spain|ES|37.39|-5.98|Europe/Madrid
Bilbao|Basque Country|Spain|ES|43.26|-2.93|Europe/Madrid
Tampere|Pirkanmaa|Finland|FI|61.5|23.76|Europe/Helsinki
Gothenburg|Västra Götaland|Sweden|SE|57.71|11.97|Europe/Stockholm
Tartu|Tartu County|Estonia|EE|58.38|26.72|Europe/Tallinn
Thessaloniki|Central Macedonia|Greece|GR|40.64|22.94|Europe/Athens
Lviv|Lviv Oblast|Ukraine|UA|49.84|24.03|Europe/Kyiv
Izmir|Izmir|Turkey|TR|38.42|27.14|Europe/Istanbul
Fez|Fès-Meknès|Morocco|MA|34.03|-5|Africa/Casablanca
Busan|Busan|South Korea|KR|35.18|129.08|Asia/Seoul
Penang|Penang|Malaysia|MY|5.41|100.33|Asia/Kuala_Lumpur
Bandung|West Java|Indonesia|ID|-6.92|107.61|Asia/Jakarta
`
  .trim()
  .split('\n')
  .map((line) => {
    const [city = '', region = '', country = '', code = '', latitude, longitude, zone = ''] = line.split('|');
    return { city, region, country, code, latitude: Number(latitude), longitude: Number(longitude), zone };
  });

/** Picks a town by a number in [0, 1). */
export function pickTown(chance: number): Town {
  return TOWNS[Math.floor(chance * TOWNS.length)] as Town;
}

/** Returns the part of a name before the word for a place: `billing` in `billing_city`. */
export function toPlaceOwner(name: string): string {
  return PLACE_WORD.exec(name)?.[1] ?? '';
}

const PLACE_WORD =
  /^(.*?)_?(city|town|country|state|province|lat|latitude|lon|lng|longitude|time_?zone)(_(code|name))?$/;

const CURRENCIES = 'USD EUR GBP CHF SEK CAD AUD'.split(' ');

/** Picks a currency by a number in [0, 1). */
export function pickCurrency(chance: number): string {
  return CURRENCIES[Math.floor(chance * CURRENCIES.length)] as string;
}
