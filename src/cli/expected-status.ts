/** Whether a status is among those that a request expects, as in `422`, `400, 422` or `4xx`. */
export function isExpected(header: string | undefined, status: number): boolean {
  if (header === undefined) return false;
  return header.split(',').some((part) => {
    const wanted = part.trim().toLowerCase();
    return wanted === String(status) || (/^[1-5]xx$/.test(wanted) && wanted[0] === String(status)[0]);
  });
}
