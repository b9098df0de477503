# One server, with the client built. Used by compose.yaml.
FROM node:24-slim
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npx vite build
USER node
ENTRYPOINT ["node_modules/.bin/node", "--wasm-tiering-budget=130000000", "--max-semi-space-size=16", "server/main.ts"]
