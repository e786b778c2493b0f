import lookup from "@photostructure/tz-lookup";

/** Time zones of places, from a table inside a package. */

/** IANA zone of a place on land or at sea (`Etc/GMT…`), or null. */
export function zoneOfPlace(lat: number, lon: number): string | null {
  try {
    return lookup(lat, lon);
  } catch {
    return null;
  }
}
