const rowsPerPiece = 500;

/** Yields a CSV file of leads in chunks. Two of five numbers are not in E.164. */
export async function* leadFile(leads: number, from: number): AsyncGenerator<Uint8Array, void, void> {
  yield Buffer.from('phone_number,name,city,product,contract_ends\n');
  for (let n = 0; n < leads; n += rowsPerPiece) {
    const rows = Array.from({ length: Math.min(rowsPerPiece, leads - n) }, (_, m) => row(from + n + m));
    yield Buffer.from(rows.join(''));
  }
}

const cities = ['Amsterdam', 'Delft', 'Groningen', "'s-Hertogenbosch", '"Bergen op Zoom, NB"'];

/** Coprime to the count of numbers, so that each number occurs once, in an irregular order. */
const stride = 7_368_787;
const numbers = 90_000_000;

function row(n: number): string {
  const digits = String(10_000_000 + ((n * stride) % numbers));
  const number = [`+316${digits}`, `+31 6 ${digits}`, `+316${digits}`, `00316${digits}`, `+316${digits}`][n % 5];
  return `${number},Customer ${n},${cities[n % cities.length]},Fibre ${n % 7},2027-0${1 + (n % 9)}-15\n`;
}
