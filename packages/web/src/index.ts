export { pageSettings, readPageStyle, type PageStyle } from './page-settings.ts';
export { pageRoutes } from './page-routes.ts';
export { consoleRoutes } from './console-routes.ts';
