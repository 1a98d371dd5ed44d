import { EMAIL_HEADERS, FIRST_NAME_HEADERS, LAST_NAME_HEADERS, NAME_BESIDE_FAMILY } from './headers.ts';
import { bareWord } from './words.ts';

// Column names that are usual in lists of people, in all languages of exports.
const USUAL: readonly string[] = [
  ...['full name', 'display name', 'username', 'title', 'salutation', 'gender', 'birthday', 'date of birth', 'age'],
  ...['company', 'company name', 'organization', 'organisation', 'job title', 'position', 'department', 'role'],
  ...['phone', 'phone number', 'mobile', 'mobile phone', 'telephone', 'fax', 'website', 'url', 'language', 'locale'],
  ...['address', 'address 1', 'address 2', 'street', 'city', 'town', 'state', 'region', 'province', 'county', 'zip'],
  ...['zip code', 'postal code', 'postcode', 'country', 'timezone', 'latitude', 'longitude', 'ip', 'ip address'],
  ...[
    'status',
    'state',
    'subscription status',
    'subscribed',
    'unsubscribed',
    'opted out',
    'opt-in',
    'consent',
    'reason',
  ],
  ...['tags', 'labels', 'groups', 'lists', 'segments', 'notes', 'note', 'comments', 'source', 'lead source', 'owner'],
  ...['id', 'contact id', 'customer id', 'date', 'created', 'created at', 'date added', 'date created', 'updated at'],
  ...['signup date', 'subscribed at', 'unsubscribed at', 'last changed', 'last activity', 'orders', 'total spent'],
  ...['Anrede', 'Firma', 'Unternehmen', 'Telefon', 'Straße', 'Ort', 'Stadt', 'PLZ', 'Postleitzahl', 'Land'],
  ...['Geburtstag', 'Sprache', 'Notizen', 'Quelle', 'Erstellt am', 'Abgemeldet', 'Angemeldet'],
  ...['entreprise', 'société', 'téléphone', 'adresse', 'ville', 'pays', 'code postal', 'langue', 'statut'],
  ...['empresa', 'teléfono', 'dirección', 'ciudad', 'país', 'código postal', 'provincia', 'estado', 'idioma'],
  ...['azienda', 'telefono', 'indirizzo', 'città', 'paese', 'stato', 'telefone', 'cidade', 'endereço'],
  ...['bedrijf', 'telefoon', 'adres', 'plaats', 'land', 'företag', 'stad', 'firma', 'miasto', 'kraj', 'telefon'],
];

const WORDS: ReadonlySet<string> = new Set([
  ...USUAL.map(bareWord),
  ...EMAIL_HEADERS,
  ...FIRST_NAME_HEADERS,
  ...LAST_NAME_HEADERS,
  ...NAME_BESIDE_FAMILY,
]);

/** True for a text that is a usual column name in lists of people. */
export function isUsualHeader(text: string): boolean {
  return WORDS.has(bareWord(text));
}
