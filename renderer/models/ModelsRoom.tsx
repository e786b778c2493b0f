export function ModelsRoom() {
  return null;
}
