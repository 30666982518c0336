import type { FeedListener } from '@gatehouse/accounts';

export type News = Parameters<FeedListener>;

/** They come every half a second: who is this far behind has been so for minutes. */
const NEWS_MAX = 1000;
const CHANGES_MAX = 50_000;

/** News that a slow client has not been sent yet. */
export class WaitingNews {
  readonly #news: News[] = [];
  #changes = 0;

  /** Whether the client keeps up; else it should rather come back for what waits. */
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
