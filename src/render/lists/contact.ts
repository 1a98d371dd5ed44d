import type { Contact } from '../../wire/shapes.ts';
import { objectText } from '../text/object-text.ts';
import type { Style } from '../text/style.ts';

/** `svc contacts get`: who it is and what may be sent to them first, then everything else that the service said. */
export function contactText(contact: Contact, style: Style): string {
  const { email, status, unsubscribed_at, id, ...rest } = contact;
  return objectText({ email, status, unsubscribed_at, id, ...rest }, style);
}
