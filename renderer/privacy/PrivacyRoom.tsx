export function PrivacyRoom() {
  return null;
}
