export { brandSettings as pageSettings } from '@gatehouse/brand';
export { pageRoutes, type PageStyle, readPageStyle } from './page-routes.ts';
export { LANGUAGES } from './ui/languages.ts';
export { consoleRoutes } from './console-routes.ts';
