import type { FeedListener } from '@gatehouse/accounts';

export type News = Parameters<FeedListener>;

/** News arrive every half second: a client that is this far behind has been so for minutes. */
const NEWS_MAX = 1000;
const CHANGES_MAX = 50_000;

/** News that a slow client has not been sent yet. */
export class WaitingNews {
  readonly #news: News[] = [];
  #changes = 0;

  /** Returns false if the client is too far behind; it should then reconnect. */
  put(news: News): boolean {
    this.#news.push(news);
    this.#changes += news[0].length;
    return this.#news.length <= NEWS_MAX && this.#changes <= CHANGES_MAX;
  }

  take(): News | undefined {
    const news = this.#news.shift();
    this.#changes -= news?.[0].length ?? 0;
    return news;
  }
}
