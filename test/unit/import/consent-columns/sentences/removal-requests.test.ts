import { expect, test } from 'vitest';
import { saysNothing } from '../vocabulary/golden.ts';

// Requests to be removed, below headers of a reply or of what a person asks for. The status beside them says that the
// person gets mail.

/** True if the cell says nothing under this header, so that a status beside it decides. */
function isSilent(header: string, cell: string): boolean {
  return saysNothing(header, 'catalogue', cell);
}

const REQUESTS = [
  'Reply|Response|Answer|Message|Subject: take me off this, pls take me off, take me off your list, kindly remove my email, please delete my address, take my name off, drop me from this, who are you? remove me, please remove, get me off this list',
  'Request|Enquiry|Ticket|Case|Action requested: erase, ERASE ME, erasure, delete my data, delete account, data deletion, removal, access and erasure, please erase, GDPR art. 17, Art. 21 objection, forget',
  'Antwort|Anfrage: bitte raus, bitte austragen, nehmt mich raus, meine Daten löschen',
  'Anfrage|Anliegen|Betreff: Löschung, Auskunft und Löschung, Datenlöschung, Löschantrag, löschen lassen, Widerspruch',
  "Demande|Objet|Réponse: suppression, effacement des données, droit à l'oubli, accès et suppression, retirez-moi, à supprimer",
  'Solicitud|Respuesta: supresión, borrar mis datos, acceso y supresión, quitadme, bórrame',
  'Richiesta|Risposta: cancellazione, cancellare i miei dati, cancellami, toglietemi',
  'Verzoek|Antwoord: verwijdering, gegevens wissen, haal me eraf',
  'Begäran|Svar: radering, radera mina uppgifter, ta bort mig',
  '依頼|回答: データ削除, 外してください, 削除希望',
  'Custom 1: take me off this, delete my data, kindly remove my address',
].map((line) => line.split(': '));

test('asks about a request to be removed (C10)', () => {
  const pairs = REQUESTS.flatMap(([headers = '', cells = '']) =>
    headers.split('|').flatMap((header) => cells.split(', ').map((cell) => [header, cell] as const)),
  );
  expect(pairs.length).toBeGreaterThan(120);
  expect(pairs.filter(([header, cell]) => isSilent(header, cell))).toEqual([]);
});

test.each([
  ['Request', 'delete key replacement'],
  ['Request', 'removal of tree'],
  ['Request', 'quote and delivery'],
  ['Request', 'erase board'],
  ['Request', '17'],
  ['Request', 'no'],
  ['Anfrage', 'Löschwasserversorgung'],
  ['Reply', 'will remove the stain'],
  ['Reply', 'took me off guard'],
  ['Subject', 'Removal services'],
  ['Ticket', 'VIP'],
  ['Custom 1', 'erase'],
])('asks nothing under %s about %s (C10)', (header, cell) => {
  expect(isSilent(header, cell)).toBe(true);
});
