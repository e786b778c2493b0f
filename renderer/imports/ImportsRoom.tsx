export function ImportsRoom() {
  return null;
}
