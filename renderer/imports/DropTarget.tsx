export function DropTarget() {
  return null;
}
