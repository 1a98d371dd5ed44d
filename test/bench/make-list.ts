import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { createRandom, type Random } from '../simulation/random.ts';

/**
 * The same seed makes the same list, byte for byte. `duplicates` is the share of rows that repeat an address, from 0 to
 * 1.
 */
export interface ListOptions {
  readonly seed: number;
  readonly duplicates?: number;
  readonly delimiter?: string;
  readonly lineEnding?: string;
}

const HEADER = [
  'Email Address',
  'First Name',
  'Last Name',
  'Company',
  'Job Title',
  'Phone',
  'City',
  'Country',
  'Plan',
  'Customer ID',
  'Signup Source',
  'Last Opened',
  'Notes',
];
const FIRST = ['Ana', 'Bo', 'Cy', 'José', 'Zoë', 'Søren', 'Łucja', 'Anaïs', 'Maximilian', 'Thu', 'Ольга', '美咲'];
const LAST = ['Albarn', 'Berg', 'Müller', 'García', 'Nguyễn', 'O’Brien', 'Smith', 'Dvořák', 'Çelik', 'Lindqvist'];
const COMPANIES = ['Acme', 'Globex', 'Initech', 'Umbrella', 'Hooli', 'Société du Nord', 'Stark', 'Wayne'];
const TITLES = ['Engineer', 'Head of Sales', 'Founder', 'Accountant', 'Designer', 'Buyer'];
const CITIES = ['Berlin', 'São Paulo', 'Zürich', 'Austin', 'Nîmes', 'Oslo', 'Kraków', 'Lyon'];
const COUNTRIES = ['Germany', 'Brazil', 'Switzerland', 'United States', 'France', 'Norway'];
const PLANS = ['free', 'starter', 'business', 'enterprise'];
const SOURCES = ['webinar', 'landing page', 'referral', 'trade fair', 'import 2019'];
const NOTES = ['met in Lyon, call back', 'asks for "net 30"', 'two seats, maybe three', 'wants a demo, then decides'];
const BATCH_ROWS = 2_000;

/**
 * Writes a list of invented people: 13 columns, a quoted cell in half of the rows, letters of several scripts, some 150
 * bytes a row.
 */
export async function writeList(path: string, rows: number, options: ListOptions): Promise<void> {
  const { delimiter = ',', lineEnding = '\n' } = options;
  const line = (cells: readonly string[]) =>
    cells.map((cell) => quoteCell(cell, delimiter)).join(delimiter) + lineEnding;
  const { next: dice } = createRandom(options.seed);
  const file = createWriteStream(path);
  file.write(line(HEADER));
  for (let from = 0; from < rows; from += BATCH_ROWS) {
    const count = Math.min(BATCH_ROWS, rows - from);
    const text = Array.from({ length: count }, (_, index) => line(person(from + index, dice, options.duplicates ?? 0)));
    if (!file.write(text.join(''))) {
      await once(file, 'drain');
    }
  }
  file.end();
  await finished(file);
}

type Dice = Random['next'];

function person(index: number, dice: Dice, duplicates: number): string[] {
  const pick = (words: readonly string[]) => words[Math.floor(dice() * words.length)] as string;
  const number = (below: number) => Math.floor(dice() * below);
  const again = index > 0 && dice() < duplicates;
  return [
    `person${again ? number(index) : index}@example.com`,
    pick(FIRST),
    pick(LAST),
    pick(COMPANIES),
    pick(TITLES),
    `+49 30 ${number(9_000_000) + 1_000_000}`,
    pick(CITIES),
    pick(COUNTRIES),
    pick(PLANS),
    String(number(1e9)).padStart(9, '0'),
    pick(SOURCES),
    `2026-0${number(9) + 1}-1${number(10)} 0${number(10)}:15:00`,
    dice() < 0.5 ? pick(NOTES) : '',
  ];
}

function quoteCell(cell: string, delimiter: string): string {
  return cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
