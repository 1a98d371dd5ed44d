import { definePlatform } from './lib/columns.ts';
import { countHeaders } from './lib/headers.ts';
import { NO_STATE_RULE } from './lib/state-columns.ts';

/** Eventbrite attendee list: people with a ticket. It doesn't say who agreed to mail, so svc asks the user. */
export const eventbrite = definePlatform({
  id: 'eventbrite',
  title: 'Eventbrite',
  roles: {
    email: ['Email', 'Attendee email', 'Email Address', 'Buyer email'],
    first_name: ['First Name', 'Attendee first name', 'Buyer first name'],
    last_name: ['Last Name', 'Attendee last name', 'Buyer last name', 'Surname'],
    // Columns about the order or the ticket. `Attendee Status` is the status of a ticket, not of a person.
    internal: [
      ...['Order #', 'Order no.', 'Order ID', 'Attendee #', 'Barcode #', 'Barcode number', 'Attendee Status'],
      ...['Order Type', 'Total Paid', 'Fees Paid', 'Eventbrite Fees', 'Eventbrite Payment Processing', 'Currency'],
      'Price Tier',
    ],
    isInternal: (header) => /^(?:buyer|seating location|purchaser) /i.test(header),
  },
  certainty({ header }) {
    const order = countHeaders(header, 'Order #', 'Order no.', 'Order ID');
    const ownCount = countHeaders(
      header,
      ...['Attendee #', 'Attendee Status', 'Attendee email', 'Ticket Type', 'Ticket tier', 'Barcode #'],
      ...['Barcode number', 'Event name', 'Event ID', 'Buyer email', 'Ticket quantity'],
    );
    return order > 0 && ownCount >= 2 ? 85 : 0;
  },
  read: () => NO_STATE_RULE,
});
