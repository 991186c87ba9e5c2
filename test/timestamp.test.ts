import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTimestamp, toDay, toHttpDate } from '../src/base/clock.ts';

describe('parseTimestamp', () => {
  it.each([
    ['1970-01-01', 0],
    ['2026-06-01', 1_780_272_000],
    ['2027-06-30', 1_814_313_600],
    ['2024-02-29', 1_709_164_800],
    ['2000-02-29', 951_782_400],
    ['1969-12-31', -86_400],
    ['0001-01-01', -62_135_596_800],
    ['9999-12-31', 253_402_214_400],
    ['2023-06-30T23:59:59Z', 1_688_169_599],
    ['2023-06-30t23:59:59z', 1_688_169_599],
    ['2023-07-01T01:59:59+02:00', 1_688_169_599],
    ['2023-06-30T18:29:59-05:30', 1_688_169_599],
    ['2023-06-30T23:59:59-00:00', 1_688_169_599],
    ['2023-06-30T23:59:59.999Z', 1_688_169_599],
    ['2023-06-30T23:59:59.123456789Z', 1_688_169_599],
    ['1969-12-31T23:59:59.5Z', -1],
    [new Date('2026-06-01T00:00:00Z'), 1_780_272_000],
    [new Date(1_780_272_000_999), 1_780_272_000],
  ])('reads %s as %d', (value, seconds) => {
    expect(parseTimestamp(value)).toBe(seconds);
  });

  it.each([
    ['2026-02-30'],
    ['2026-02-29'],
    ['1900-02-29'],
    ['2026-04-31'],
    ['2026-13-01'],
    ['2026-00-10'],
    ['2026-01-00'],
    ['2026-01-32'],
    ['2026-02-30T12:00:00Z'],
    ['2026-12-31T23:59:59'],
    ['2026-12-31T23:59'],
    ['2026-12-31T23:59Z'],
    ['2026-12-31T24:00:00Z'],
    ['2026-12-31T23:60:00Z'],
    ['2026-12-31T23:59:59+24:00'],
    ['2026-12-31T23:59:59+01:60'],
    ['2026-12-31T23:59:59+0100'],
    ['2026-12-31T23:59:59+1'],
    ['2026-12-31T23:59:59,5Z'],
    ['2026-12-31T23:59:59.Z'],
    ['2026-12-31 23:59:59Z'],
    ['2026-12-31Z'],
    ['2026-12-31T'],
    ['2026-6-1'],
    ['26-06-01'],
    ['20260601'],
    ['2026-06'],
    ['2026'],
    ['+002026-06-01'],
    ['-2026-06-01'],
    ['10000-01-01'],
    [' 2026-06-01'],
    ['2026-06-01 '],
    ['2026-06-01\n'],
    ['Mon, 01 Jun 2026 00:00:00 GMT'],
    ['06/01/2026'],
    ['@1780272000'],
    ['1780272000'],
    ['tomorrow'],
    ['true'],
    [''],
    ['２０２６-06-01'],
    [1_780_272_000],
    [20_260_601],
    [true],
    [null],
    [undefined],
    [[]],
    [{}],
    [new Date(Number.NaN)],
    [new Date(8.64e15)],
  ])('takes %j for no date', (value) => {
    expect(parseTimestamp(value)).toBeUndefined();
  });

  const years1To9999 = fc.integer({ min: -62_135_596_800, max: 253_402_300_799 });

  it('reads back every second of the years 1 to 9999', () => {
    fc.assert(
      fc.property(years1To9999, (seconds) => {
        const text = new Date(seconds * 1000).toISOString();
        expect(parseTimestamp(text)).toBe(seconds);
        expect(parseTimestamp(text.slice(0, 10))).toBe(Math.floor(seconds / 86_400) * 86_400);
      }),
    );
  });

  it('reads the same instant in every zone', () => {
    const minutes = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 });
    const seconds = fc.integer({ min: 0, max: 4_102_444_800 });
    fc.assert(
      fc.property(seconds, minutes, (instant, offset) => {
        const local = new Date((instant + offset * 60) * 1000).toISOString().slice(0, 19);
        const [hours, rest] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
        const zone = [hours, rest].map((part) => String(part).padStart(2, '0')).join(':');
        fc.pre(!local.startsWith('-'));
        expect(parseTimestamp(`${local}${offset < 0 ? '-' : '+'}${zone}`)).toBe(instant);
      }),
    );
  });

  it('takes a day for a date exactly if the calendar has it', () => {
    const number = (max: number) => fc.integer({ min: 0, max });
    fc.assert(
      fc.property(number(9999), number(14), number(33), (year, month, day) => {
        const text = [String(year).padStart(4, '0'), month, day]
          .map((part) => String(part).padStart(2, '0'))
          .join('-');
        const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
        const lengths = [0, 31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        expect(parseTimestamp(text) !== undefined).toBe(day >= 1 && day <= (lengths[month] ?? 0));
      }),
    );
  });
});

describe('toHttpDate', () => {
  it.each([
    [1_688_169_599, 'Fri, 30 Jun 2023 23:59:59 GMT'],
    [1_814_313_600, 'Wed, 30 Jun 2027 00:00:00 GMT'],
    [0, 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ])('writes %d as %s', (seconds, text) => {
    expect(toHttpDate(seconds)).toBe(text);
  });

  it('writes an IMF-fixdate that means the same second', () => {
    const seconds = fc.integer({ min: -62_135_596_800, max: 253_402_300_799 });
    fc.assert(
      fc.property(seconds, (instant) => {
        const text = toHttpDate(instant);
        expect(text).toMatch(
          /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/,
        );
        if (instant >= 0) expect(Date.parse(text)).toBe(instant * 1000);
      }),
    );
  });
});

describe('toDay', () => {
  it.each([
    [1_814_313_600, '2027-06-30'],
    [1_688_169_599, '2023-06-30T23:59:59Z'],
  ])('writes %d as %s', (seconds, text) => {
    expect(toDay(seconds)).toBe(text);
    expect(parseTimestamp(text)).toBe(seconds);
  });
});
