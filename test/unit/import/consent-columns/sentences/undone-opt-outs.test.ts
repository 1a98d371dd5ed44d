import { expect, test } from 'vitest';
import { meaningOf, tableOf } from '../vocabulary/golden.ts';

/** The meaning of a cell below the header, beside usual cells. */
function read(header: string, cell: string, ...others: readonly string[]): string {
  return meaningOf(tableOf([header], { rows: [...others, cell].map((text) => [text]) }), cell);
}

test.each([
  ...['never unsubscribed', 'has not unsubscribed', 'does not want to be unsubscribed', 'do not unsubscribe'],
  ...['re-subscribed 3/2026 after unsubscribing', 'unsubscribed, then signed up again', 'unsubscribed by mistake'],
  ...['opted out 2020, opted back in 2021', 'unsubscribed, rejoined', 'hat sich nie abgemeldet'],
  ...['abgemeldet 2020, wieder angemeldet', 'versehentlich abgemeldet', "ne s'est pas désinscrit"],
  ...['réabonné après désabonnement', 'desinscrit par erreur', 'afgemeld, opnieuw aangemeld'],
  ...['Vertrag gekündigt und neu abgeschlossen', 'Handyvertrag gekündigt', 'contrat résilié, désabonné'],
])('asks about the note %s, whose opt-out may be undone (C10)', (note) => {
  expect(read('Notes', note, 'likes cats', '')).toBe('refused');
});

test.each([
  'unsubscribed',
  'please unsubscribe me',
  'wants to unsubscribe',
  'abgemeldet',
  'hat sich abgemeldet',
  'désinscrit',
  'unable to unsubscribe, please do it',
  'do not email, unsubscribed',
])('reads the note %s as an opt-out (C10)', (note) => {
  expect(read('Notes', note, 'likes cats', '')).toBe('unsubscribed');
});

test.each([
  ...['cancelled order 12', 'order cancelled', 'Rechnung gelöscht', 'Termin abgesagt', 'Bestellung 7 storniert'],
  ...['reservation annulée', 'pedido cancelado', 'fattura annullata', 'bestelling geannuleerd', 'ruft zurück'],
  ...['ruft Montag zurück', 'Frau Berg ruft zurück'],
])('does not ask about the note %s, which is not about mail (C10)', (note) => {
  expect(read('Notes', note, 'likes cats', '')).toBe('-');
});

test.each(['cancelled', 'kommt zurück', 'Mail zurück', 'gelöscht', 'subscription cancelled', 'member cancelled'])(
  'does not ignore the note %s, which may end a subscription (C10)',
  (note) => {
    expect(read('Notes', note, 'likes cats', '')).not.toBe('-');
  },
);

test.each([
  ...['Job', 'Job title', 'Title', 'Position', 'Beruf', 'Role'].flatMap((header) =>
    ['Opt-out Officer', 'Unsubscribe Manager'].map((cell) => [header, cell] as const),
  ),
  ...['Company', 'Firma', 'Account name', 'City', 'Employer'].flatMap((header) =>
    ['No Mail Ltd', 'Optout Records', 'se désinscrire', 'hat gekündigt'].map((cell) => [header, cell] as const),
  ),
])('asks about opt-out words that may be a name, in the column %s: %s (C10)', (header, cell) => {
  expect(read(header, cell, 'Oak', 'Elm', 'Ash')).toBe('refused');
});
