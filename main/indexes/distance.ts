/** Equirectangular approximation; exact enough within tens of kilometres. Degrees; what is missing counts as 0. */
export function distanceKm(
  a: { readonly lat: number | null; readonly lon: number | null },
  b: { readonly lat: number | null; readonly lon: number | null },
): number {
  const [lat1, lon1, lat2, lon2] = [a.lat ?? 0, a.lon ?? 0, b.lat ?? 0, b.lon ?? 0];
  const radians = Math.PI / 180;
  const x = (lon2 - lon1) * radians * Math.cos(((lat1 + lat2) / 2) * radians);
  return Math.hypot(x, (lat2 - lat1) * radians) * 6_371;
}
