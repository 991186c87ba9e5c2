/** Seconds since a moment by `performance.now()`. */
export function toAge(moment: number): number {
  return Math.round(performance.now() - moment) / 1000;
}
