import { memoize } from '../../base/lib/memoize.ts';
import { bareWord } from './status-words.ts';

/** Headers that always mean the email address, in the languages of the platforms' exports. */
export const EMAIL_HEADERS = bareNamesIn(
  'email, e-mail, mail, email address, e-mail address, mail address, email addr, emailaddress, email id, email 1',
  'primary email, contact email, customer email, user email, subscriber email, your email, your email address',
  'recipient',
  'Emailadresse, E-Mail-Adresse, Mailadresse, Deine E-Mail Adresse, Ihre E-Mail-Adresse',
  'correo, correo electrónico, dirección de correo electrónico, dirección de correo',
  'courriel, adresse email, adresse e-mail, adresse mail, adresse électronique, adresse courriel',
  'indirizzo email, indirizzo e-mail, posta elettronica',
  'endereço de email, endereço de e-mail',
  'e-mailadres, emailadres',
  'e-postadress, e-post, epostadresse, e-postadresse',
  'adres e-mail, adres email',
  'sähköposti, sähköpostiosoite',
  'メールアドレス, Eメール',
  '电子邮件, 电子邮箱, 邮箱',
  'электронная почта, почта, адрес электронной почты, email адрес',
  'e-mailová adresa',
);
/** Headers of the given name, in the languages of the platforms' exports. */
export const FIRST_NAME_HEADERS = bareNamesIn(
  'first name, firstname, fname, given name, forename',
  'Vorname, nombre, primer nombre, prénom, nome, primeiro nome, voornaam, förnamn, fornavn, etunimi, imię, 名, имя',
  'jméno',
);
/** Headers of the family name, in the languages of the platforms' exports. */
export const LAST_NAME_HEADERS = bareNamesIn(
  'last name, lastname, lname, surname, family name',
  'Nachname, Familienname, apellido, apellidos, nom de famille, cognome, sobrenome, apelido, achternaam, efternamn',
  'etternavn, efternavn, sukunimi, nazwisko, 姓, фамилия, příjmení',
);
/** Headers of a column with the date of an opt-out. */
export const OPT_OUT_DATE_HEADERS = bareNamesIn(
  'unsubscribed at, unsubscribe date, unsubscribed date, date unsubscribed, unsubscribed on, unsubscribe time',
  'unsub time, unsubscribed time, opt-out date, opted out at, opt out time, optout date, opt-out at',
  'date of unsubscribe',
  'Abgemeldet am, Abmeldedatum, date de désinscription, désinscrit le, désabonné le, fecha de baja',
  'data disiscrizione, data di disiscrizione, afgemeld op, uitgeschreven op',
);
/**
 * Headers that mean the family name if one of the listed headers of the given name stands beside them. Alone such a
 * header can mean a full name or a company.
 */
export const FAMILY_BESIDE_GIVEN: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ['Name', 'Vorname'],
    ['nom', 'prénom', 'name'],
    ['naam', 'voornaam'],
    ['namn', 'förnamn'],
    ['navn', 'fornavn'],
    ['nimi', 'etunimi'],
  ].map(([family = '', ...given]) => [bareWord(family), given.map(bareWord)]),
);
/**
 * Headers that mean the given name if a column of family names stands beside them. Otherwise they mean the full name.
 */
export const NAME_BESIDE_FAMILY: ReadonlySet<string> = new Set(
  ['name', 'naam', 'namn', 'navn', 'nimi', 'nom', 'nombre', 'nome', 'имя', '名'].map(bareWord),
);

// Matches the header of one of several addresses of a person, such as `E-mail 2 - Value`, `Work email` or `Additional
// email addresses`.
const ONE_OF_SEVERAL =
  /^(?:primary|main|preferred|work|business|office|company|home|personal|private|other|second|secondary|alternate|alternative|additional)?emails?(?:address(?:es)?)?(?:\d+|home|work|other|personal|private|business)?(?:value|address)?$/;

/** True for the header of an address column, also for a second or third address of a person. */
export function isAddressHeader(header: string): boolean {
  const bare = bareWord(header);
  return EMAIL_HEADERS.has(bare) || ONE_OF_SEVERAL.test(bare);
}

// Words that distinguish two addresses of a person: `Zweite E-Mail`, `Correo alternativo`, `Work email`.
const ADDRESS_QUALIFIERS = [
  ...['work', 'business', 'office', 'home', 'personal', 'private', 'other', 'second', 'secondary', 'alternative'],
  ...['zweite', 'weitere', 'andere', 'alternative', 'privat', 'private', 'geschäftlich', 'geschäftliche'],
  ...['berufliche', 'dienstlich', 'dienstliche', 'deuxième', 'autre', 'secondaire', 'privée', 'pro', 'perso'],
  ...['professionnel', 'professionnelle', 'personnel', 'personnelle', 'segundo', 'otro', 'alternativo', 'secundario'],
  ...['personal', 'trabajo', 'profesional', 'outro', 'alternativa', 'secundária', 'pessoal', 'seconda', 'secondaria'],
  ...['altra', 'personale', 'lavoro', 'tweede', 'ander', 'privé', 'zakelijk', 'werk', 'drugi', 'prywatny'],
]
  .map(bareWord)
  // The longest word first, because an expression takes the first alternative that fits: `second` in `Secondary email`.
  .sort((one, other) => other.length - one.length);
// Matches a header that begins with a word of ADDRESS_QUALIFIERS.
const QUALIFIER_FIRST = new RegExp(`^(?:${ADDRESS_QUALIFIERS.join('|')})`);
// Matches a header that ends with a word of ADDRESS_QUALIFIERS or a number.
const QUALIFIER_LAST = new RegExp(`(?:(?<!\\d)\\d+|${ADDRESS_QUALIFIERS.join('|')})$`);

/**
 * True for a header that may mean a further address of the person, such as `Mail 2`. It may also mean something else,
 * such as whether a second mail was sent. So the caller checks that the cells contain addresses.
 */
export function mayNameAddress(header: string): boolean {
  const bare = bareWord(header);
  const withoutQualifier = bare.replace(QUALIFIER_FIRST, '').replace(QUALIFIER_LAST, '');
  return withoutQualifier !== bare && EMAIL_HEADERS.has(withoutQualifier) && !ROLES.includes(withoutQualifier);
}

// Headers that say whose address it is, such as `Customer email` beside the address of an account manager.
const ROLES = ['recipient', 'contact email', 'customer email', 'user email', 'subscriber email'].map(bareWord);

/** True if the header says whose address it is, such as `customer email`. */
export function namesRole(header: string): boolean {
  return ROLES.includes(bareWord(header));
}

// Usual column names in lists of people, in the languages of the platforms' exports.
const USUAL_HEADERS = new Set([
  ...bareNamesIn(
    'full name, display name, username, title, salutation, gender, birthday, date of birth, age',
    'company, company name, organization, organisation, job title, position, department, role',
    'phone, phone number, mobile, mobile phone, telephone, fax, website, url, language, locale',
    'address, address 1, address 2, street, city, town, state, region, province, county, zip',
    'zip code, postal code, postcode, country, timezone, latitude, longitude, ip, ip address',
    'status, state, subscription status, subscribed, unsubscribed, opted out, opt-in, consent, reason',
    'tags, labels, groups, lists, segments, notes, note, comments, source, lead source, owner',
    'id, contact id, customer id, date, created, created at, date added, date created, updated at',
    'signup date, subscribed at, unsubscribed at, last changed, last activity, orders, total spent',
    'Anrede, Firma, Unternehmen, Telefon, Straße, Ort, Stadt, PLZ, Postleitzahl, Land',
    'Geburtstag, Sprache, Notizen, Quelle, Erstellt am, Abgemeldet, Angemeldet',
    'entreprise, société, téléphone, adresse, ville, pays, code postal, langue, statut',
    'empresa, teléfono, dirección, ciudad, país, código postal, provincia, estado, idioma',
    'azienda, telefono, indirizzo, città, paese, stato, telefone, cidade, endereço',
    'bedrijf, telefoon, adres, plaats, land, företag, stad, firma, miasto, kraj, telefon',
  ),
  ...EMAIL_HEADERS,
  ...FIRST_NAME_HEADERS,
  ...LAST_NAME_HEADERS,
  ...NAME_BESIDE_FAMILY,
]);

/** True for a text that is a usual column name in lists of people. */
export function isUsualHeader(text: string): boolean {
  return USUAL_HEADERS.has(bareWord(text));
}

/**
 * The index of the column with the first of these names that the header contains, compared by `bareWord`. -1 if there
 * is none.
 */
export function findHeader(header: readonly string[], ...names: readonly string[]): number {
  const bare = bareHeaders(header);
  for (const name of names) {
    const index = bare.indexOf(bareName(name));
    if (index >= 0) {
      return index;
    }
  }
  return -1;
}

/** The name of a column in messages and answers: its header, or its number from 1 if it has none. */
export function headerOrNumber(header: readonly string[], index: number): string {
  return header[index] || String(index + 1);
}

/** `bareWord` with a cache, because svc compares the same headers many times. */
export const bareName = memoize(bareWord);

// Each platform searches the same header, so `bareWord` is applied to it only once.
const BARE_HEADERS = new WeakMap<readonly string[], readonly string[]>();

function bareHeaders(header: readonly string[]): readonly string[] {
  const bare = BARE_HEADERS.get(header) ?? header.map(bareWord);
  BARE_HEADERS.set(header, bare);
  return bare;
}

/** How many of these names are headers of the table, compared by `bareWord`. */
export function countHeaders(header: readonly string[], ...names: readonly string[]): number {
  return names.filter((name) => findHeader(header, name) >= 0).length;
}

/**
 * The index of the only column in which most filled sample cells are addresses. -1 if there is none, or more than one.
 */
export function findAddressColumn(header: readonly string[], sample: readonly (readonly string[])[]): number {
  const width = sample.reduce((most, cells) => Math.max(most, cells.length), header.length);
  const holding = Array.from({ length: width }, (_, index) => index).filter((index) => holdsAddresses(sample, index));
  return holding.length === 1 ? (holding[0] as number) : -1;
}

const LONGEST_ADDRESS = 320;

/** True if more than half of the filled sample cells of a column contain an address. */
export function holdsAddresses(sample: readonly (readonly string[])[], index: number): boolean {
  const filled = sample
    .map((cells) => cells[index] ?? '')
    .filter((cell) => cell !== '' && cell.length <= LONGEST_ADDRESS);
  const addresses = filled.filter((cell) => /^\s*[^\s@]+@[^\s@]+\.[^\s@]+\s*$/u.test(cell));
  return filled.length > 0 && addresses.length * 2 > filled.length;
}

/** The names in texts such as `email, e-mail`, each changed by `bareWord`. */
function bareNamesIn(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(', ')).map(bareWord));
}
