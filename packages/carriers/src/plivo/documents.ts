import { type CarrierAccess, systemRandom } from '@va/core/adapter';
import { TokenMap } from '../shared/stream/token-map.ts';

/** Maximum number of documents that were not fetched yet; the oldest one is evicted. */
const maxDocuments = 256;

interface Published {
  readonly document: string;
  readonly access: CarrierAccess<'plivo'>;
}

/** Documents that Plivo fetches once, by the key in their URL. */
export class Documents {
  readonly #documents = new TokenMap<Published>(systemRandom);
  #keys: string[] = [];

  /** Adds a document and returns its key. */
  publish(published: Published): string {
    const key = this.#documents.add(published);
    this.#keys.push(key);
    const forgotten = this.#keys.length > maxDocuments ? this.#keys.shift() : undefined;
    if (forgotten !== undefined) this.#documents.remove(forgotten);
    return key;
  }

  find(key: string): Published | null {
    return this.#documents.find(key);
  }

  remove(key: string): void {
    this.#documents.remove(key);
    this.#keys = this.#keys.filter((each) => each !== key);
  }
}
