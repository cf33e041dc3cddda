package dev.onejob.contract;

import static dev.onejob.contract.CatalogTest.operation;
import static dev.onejob.contract.CatalogTest.provider;

import dev.onejob.contract.CatalogTest.Broken;
import java.util.List;

/** Every way to get a file wrong that we know of. Added lines begin at 4 and at 6. */
final class BrokenFiles {

  private static final String P = "providers/inkjet.yaml";
  private static final String O = "operations/print.yaml";

  private BrokenFiles() {}

  static final List<Broken> ALL =
      List.of(
          // The file itself
          new Broken(P, "", "1: the file is empty"),
          new Broken(P, "# only a comment\n", "1: the file is empty"),
          new Broken(P, "- a\n- b\n", "1: the file must hold a mapping"),
          new Broken(P, "just text\n", "1: the file must hold a mapping"),
          new Broken(P, provider("---\nprovider: x"), "4: one document per file"),
          new Broken(P, provider("model: &m x\nauth: *m"), "5: aliases are not allowed"),
          new Broken(P, provider("model: !!java.net.URL x"), "4: tags are not allowed"),
          new Broken(P, provider("model: !secret x"), "4: tags are not allowed"),
          new Broken(O, operation("attempts: {max: !!int abc}"), "6: tags are not allowed"),
          new Broken(O, operation("failover: ! any"), "6: tags are not allowed"),
          new Broken(
              "operations/print.yaml",
              "operation: print\nsideEffects: !!bool maybe\n",
              "2: tags are not allowed"),
          new Broken(P, provider("model: a\nmodel: b"), "5: duplicate member 'model'"),
          new Broken(P, provider("timeouts: {call: 1s, call: 2s}"), "4: duplicate member 'call'"),
          new Broken(P, provider("? [a, b]\n: c"), "4: a member's name must be a text"),
          new Broken(
              P, provider("x: " + "[".repeat(100) + "]".repeat(100)), "4: nested deeper than 60"),
          new Broken(P, "x".repeat(2_000_000), "1: the file is larger than 1 MiB"),
          new Broken(P, provider("<<: {model: x}"), "4: unknown member '<<'"),
          // Provider: names and addresses
          new Broken(P, "adapter: http-json\nbaseUrl: http://x\n", "1: 'provider' is missing"),
          new Broken(
              P,
              "provider: Inkjet\nadapter: http-json\nbaseUrl: http://x\n",
              "1: 'provider' must be a lower-case letter, then at most 62 of a-z, 0-9 and '-'"),
          new Broken(
              P,
              "provider: laser\nadapter: http-json\nbaseUrl: http://x\n",
              "1: 'provider' is 'laser', but the file is named inkjet.yaml"),
          new Broken(P, "provider: inkjet\nbaseUrl: http://x\n", "1: 'adapter' is missing"),
          new Broken(
              P,
              "provider: inkjet\nadapter: soap\nbaseUrl: http://x\n",
              "2: 'adapter' must be one of http-json, openai-chat"),
          new Broken(
              P,
              "provider: inkjet\nadapter: openai-chat\nbaseUrl: http://x\n",
              "2: 'adapter' openai-chat is not available yet"),
          new Broken(P, "provider: inkjet\nadapter: http-json\n", "1: 'baseUrl' is missing"),
          new Broken(
              P,
              "provider: inkjet\nadapter: http-json\nbaseUrl: ftp://x\n",
              "3: 'baseUrl' must be an http or https URL"),
          new Broken(
              P,
              "provider: inkjet\nadapter: http-json\nbaseUrl: ${env:URL}\n",
              "3: 'baseUrl' must be an http or https URL"),
          new Broken(
              P,
              "provider: inkjet\nadapter: http-json\nbaseUrl: http://u:s3cr3t-value@x\n",
              "3: 'baseUrl' must not hold a user or password; see auth"),
          new Broken(
              P,
              "provider: inkjet\nadapter: http-json\nbaseUrl: http://x?a=b\n",
              "3: 'baseUrl' must end with its path"),
          // Provider: settings and secrets
          new Broken(
              P,
              provider("model: \"a\\0b\""),
              "4: 'model' must be at most 200 printable characters on one line"),
          new Broken(P, "provider: ${env:TOKEN}\n", "1: 'provider' takes no ${…}"),
          new Broken(
              O, "operation: print\nroute: [\"${env:TOKEN}\"]\n", "2: 'route' takes no ${…}"),
          new Broken(
              P, provider("model: ${env:MISSING}"), "4: environment variable MISSING is not set"),
          new Broken(
              P,
              provider("model: \"a ${env:MISSING} b\""),
              "4: environment variable MISSING is not set"),
          new Broken(
              P,
              provider("model: ${env:NO-NAME}"),
              "4: 'NO-NAME' is no name of an environment variable"),
          new Broken(
              P,
              provider("model: ${vault:x}"),
              "4: '${vault:x}' is neither ${env:NAME} nor ${file:/path}"),
          new Broken(P, provider("model: \"${env:TOKEN\""), "4: '${' without '}'"),
          new Broken(
              P,
              provider("model: ${file:/does/not/exist}"),
              "4: file /does/not/exist does not exist"),
          new Broken(
              P,
              provider("model: ${file:relative}"),
              "4: ${file:relative} must be an absolute path"),
          new Broken(P, provider("auth: {header: Authorization}"), "4: 'auth.value' is missing"),
          new Broken(P, provider("auth: {value: x}"), "4: 'auth.header' is missing"),
          new Broken(
              P,
              provider("auth: {}"),
              "4: 'auth' must be {header, value} or {basic: {user, password}}"),
          new Broken(P, provider("auth: s3cr3t-value"), "4: 'auth' must be a mapping"),
          new Broken(
              P,
              provider("auth: {header: X, value: \"${env:BREAK}\"}"),
              "4: 'auth.value' must be visible ASCII on one line"),
          new Broken(
              P,
              provider("auth: {header: \"X: a\", value: x}"),
              "4: 'auth.header' is no header that can be set"),
          new Broken(
              P,
              provider("auth: {header: Content-Length, value: x}"),
              "4: 'auth.header' is no header that can be set"),
          new Broken(
              P, provider("auth: {basic: {user: a}}"), "4: 'auth.basic.password' is missing"),
          new Broken(
              P,
              provider("auth: {basic: {user: \"a:b\", password: x}}"),
              "4: 'auth.basic.user' must not hold a colon"),
          new Broken(
              P,
              provider("auth: {hmac: {header: X, secret: s3cr3t-value}}"),
              "4: 'auth.hmac' is not supported yet by this version"),
          new Broken(
              P,
              provider("auth: {header: X, value: \"${env:TOKEN}\", typo: 1}"),
              "4: unknown member 'auth.typo'"),
          // Provider: deadlines
          new Broken(
              P,
              provider("timeouts: {call: 30}"),
              "4: 'timeouts.call' must be a duration such as 250ms, 30s, 15m, 24h, 7d"),
          new Broken(
              P,
              provider("timeouts: {call: 0s}"),
              "4: 'timeouts.call' must be from PT0.001S to PT168H"),
          new Broken(
              P,
              provider("timeouts: {call: 8d}"),
              "4: 'timeouts.call' must be from PT0.001S to PT168H"),
          new Broken(
              P,
              provider("timeouts:\n  call: 1s\n  connect: 2s"),
              "6: 'timeouts.connect' must not be longer than timeouts.call"),
          new Broken(P, provider("timeouts:\n  read: 1s"), "5: unknown member 'timeouts.read'"),
          // Provider: request and answer
          new Broken(
              P,
              provider("request: {method: GET}"),
              "4: 'request.method' must be one of POST, PUT, PATCH"),
          new Broken(
              P, provider("request: {path: print}"), "4: 'request.path' must start with '/'"),
          new Broken(
              P,
              provider("request: {path: \"/print/{id}\"}"),
              "4: 'request.path' takes no placeholders"),
          new Broken(
              P,
              provider("request: {contentType: text/xml}"),
              "4: 'request.contentType' must be one of application/json, application/x-www-form-urlencoded"),
          new Broken(
              P,
              provider("request:\n  headers:\n    Host: x"),
              "6: 'Host' is no header that can be set"),
          new Broken(
              P,
              provider("request:\n  headers:\n    X-A: \"a\\nb\""),
              "6: 'request.headers.X-A' must be visible ASCII on one line"),
          new Broken(P, provider("request: {body: {}}"), "4: unknown member 'request.body'"),
          new Broken(
              P,
              provider("answer: {result: result}"),
              "4: 'answer.result' is no JSON path: path must start with $ at position 0"),
          new Broken(
              P,
              provider("answer: {result: \"$.a..b\"}"),
              "4: 'answer.result' is no JSON path: expected .name, ['name'] or [index] at position 3"),
          new Broken(P, provider("answer: {resut: \"$.a\"}"), "4: unknown member 'answer.resut'"),
          new Broken(
              P,
              provider("statuses:\n  \"409\": MAYBE"),
              "5: 'statuses.409' must be one of REFUSED, REFUSED_RETRYABLE, NOT_SENT, UNKNOWN"),
          new Broken(
              P,
              provider("statuses:\n  \"200\": REFUSED"),
              "5: 'statuses' takes codes from 300 to 599: a 2xx is what its body says"),
          new Broken(
              P,
              provider("statuses:\n  4xx: REFUSED"),
              "5: 'statuses' takes codes from 300 to 599: a 2xx is what its body says"),
          new Broken(
              P,
              provider("idempotency: {header: Idempotency-Key}"),
              "4: 'idempotency.window' is missing"),
          new Broken(
              P, provider("idempotency: {window: 24h}"), "4: 'idempotency.header' is missing"),
          new Broken(
              P,
              provider("idempotency: {header: \"a b\", window: 24h}"),
              "4: 'idempotency.header' is no header that can be set"),
          new Broken(
              P,
              provider("accepted: {status: 202}"),
              "4: 'accepted' is not supported yet by this version"),
          new Broken(
              P,
              provider("lookup: {path: /x}"),
              "4: 'lookup' is not supported yet by this version"),
          new Broken(
              P,
              provider("callback: {scheme: x}"),
              "4: 'callback' is not supported yet by this version"),
          new Broken(
              P,
              provider("limits: {concurrency: 5}"),
              "4: 'limits' is not supported yet by this version"),
          new Broken(
              P,
              provider("contextWindow: 8192"),
              "4: 'contextWindow' is not supported yet by this version"),
          // Operation
          new Broken(O, "sideEffects: true\n", "1: 'operation' is missing"),
          new Broken(
              O, "operation: print\nsideEffects: yes\n", "2: 'sideEffects' must be true or false"),
          new Broken(O, "operation: print\n", "1: 'sideEffects' is missing"),
          new Broken(
              O, "operation: print\nsideEffects: true\nroute: [inkjet]\n", "1: 'input' is missing"),
          new Broken(
              O,
              "operation: print\nsideEffects: true\ninput: {}\noutput: {}\nroute: []\n",
              "5: 'route' must be a list with at least one name"),
          new Broken(
              O,
              "operation: print\nsideEffects: true\ninput: {}\noutput: {}\nroute:\n  - inkjet\n  - nobody\n",
              "7: 'route' names an unknown provider 'nobody'"),
          new Broken(
              O,
              "operation: print\nsideEffects: true\ninput: {}\noutput: {}\nroute:\n  - inkjet\n  - inkjet\n",
              "7: 'route' names 'inkjet' twice"),
          new Broken(
              O,
              "operation: print\nsideEffects: true\ninput:\n  type: object\n  properties:\n    a: {type: integr}\noutput: {}\nroute: [inkjet]\n",
              "6: 'input' is no JSON Schema: does not have a value in the enumeration [\"array\", \"boolean\", \"integer\", \"null\", \"number\", \"object\", \"string\"]"),
          new Broken(
              O,
              "operation: print\nsideEffects: true\ninput: object\noutput: {}\nroute: [inkjet]\n",
              "3: 'input' must be a JSON Schema, a mapping"),
          new Broken(
              O,
              "operation: print\nsideEffects: true\ninput: {}\noutput: {pattern: \"[\"}\nroute: [inkjet]\n",
              "4: 'output' is no usable JSON Schema"),
          new Broken(
              O,
              "operation: print\nsideEffects: true\ninput: {$ref: \"https://example.com/schema\"}\noutput: {}\nroute: [inkjet]\n",
              "3: 'input' is no usable JSON Schema"),
          new Broken(
              O,
              operation("failover: sometimes"),
              "6: 'failover' must be one of certified, any, never"),
          new Broken(
              O,
              operation("attempts: {max: 0}"),
              "6: 'attempts.max' must be a whole number from 1 to 100"),
          new Broken(
              O,
              operation("attempts: {max: 101}"),
              "6: 'attempts.max' must be a whole number from 1 to 100"),
          new Broken(
              O,
              operation("attempts: {max: \"3\"}"),
              "6: 'attempts.max' must be a whole number from 1 to 100"),
          new Broken(
              O,
              operation("attempts: {backoff: 1s}"),
              "6: 'attempts.backoff' must be a range of durations such as 1s..1m"),
          new Broken(
              O,
              operation("attempts: {backoff: 1m..1s}"),
              "6: 'attempts.backoff' must grow from at least 1ms to no less"),
          new Broken(
              O,
              operation("attempts: {heartbeat: 10ms}"),
              "6: 'attempts.heartbeat' must be from PT1S to PT1H"),
          new Broken(
              O,
              operation("deadline: soon"),
              "6: 'deadline' must be a duration such as 250ms, 30s, 15m, 24h, 7d"),
          new Broken(
              O,
              operation("unknown: {releaseAfterSilence: 10s}"),
              "6: 'unknown.releaseAfterSilence' may be a duration only where sideEffects is false"),
          new Broken(
              O,
              operation("unknown: {releaseAfterSilence: later}"),
              "6: 'unknown.releaseAfterSilence' must be never or a duration such as 10s"),
          new Broken(O, operation("request: {}"), "6: 'request.body' is missing"),
          new Broken(
              O,
              operation("request:\n  body:\n    a: \"{{ output.x }}\""),
              "8: '{{ output.x }}' names nothing: a placeholder is input, input.member or input.list[0]"),
          new Broken(
              O,
              operation("request:\n  body: \"{{ input.a | upper }}\""),
              "7: '{{ input.a | upper }}' names nothing: a placeholder is input, input.member or input.list[0]"),
          new Broken(O, operation("request: {body: \"{{ input.a\"}"), "6: '{{' without '}}'"),
          new Broken(
              O,
              operation("request: {body: {\"{{ input.a }}\": 1}}"),
              "6: a placeholder cannot be a member's name"),
          new Broken(
              O,
              operation("request: {body: {a: \"${env:TOKEN}\"}}"),
              "6: settings and secrets belong into the provider's file, not into a body"),
          new Broken(
              O, operation("request: {body: {a: .inf}}"), "6: a number that JSON cannot say"),
          new Broken(
              O,
              operation("request: {messages: []}"),
              "6: 'request.messages' is not supported yet by this version"),
          new Broken(
              O,
              operation("overrides: {laser: {request: {body: {}}}}"),
              "6: 'overrides.laser' is not in the route"),
          new Broken(
              O,
              operation("overrides: {inkjet: {path: /x}}"),
              "6: unknown member 'overrides.inkjet.path'"),
          new Broken(
              O, operation("checks: []"), "6: 'checks' is not supported yet by this version"),
          new Broken(
              O, operation("samples: []"), "6: 'samples' is not supported yet by this version"),
          new Broken(O, operation("sampels: []"), "6: unknown member 'sampels'"));
}
