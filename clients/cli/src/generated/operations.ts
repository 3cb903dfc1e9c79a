// Made by `npm run node-client`.

import type { Operation } from '../operations/operation.ts'

export const OPERATIONS: readonly Operation[] = [
  {
    "method": "invoices.create",
    "summary": "Create an invoice",
    "ids": [],
    "isList": false,
    "takesBody": true,
    "changes": true,
    "expands": true,
    "fields": [
      {
        "name": "name",
        "kind": "text",
        "about": "The name of the invoice, which the customer reads on the payment page.",
        "isRequired": true
      },
      {
        "name": "amount",
        "kind": "text",
        "about": "What is to be paid.",
        "isRequired": true
      },
      {
        "name": "currency",
        "kind": "text",
        "about": "The currency of every amount of the invoice, by ISO 4217.",
        "isRequired": true
      },
      {
        "name": "customer_id",
        "kind": "text",
        "about": "Who pays the invoice."
      },
      {
        "name": "token_id",
        "kind": "text",
        "about": "The stored payment source that the invoice is meant for."
      },
      {
        "name": "details",
        "kind": "json",
        "about": "The lines of the invoice; null without any. They need not add up to the amount."
      },
      {
        "name": "order_id",
        "kind": "text",
        "about": "Your order. Several invoices may have the same."
      },
      {
        "name": "reference_id",
        "kind": "text",
        "about": "Your own id of the invoice, unique in project and environment."
      },
      {
        "name": "verification",
        "kind": "boolean",
        "about": "Whether the invoice only verifies a payment source."
      },
      {
        "name": "metadata",
        "kind": "json",
        "about": "Your own keys and values."
      },
      {
        "name": "gateway_data",
        "kind": "json",
        "about": "Data for gateways, as you sent it."
      },
      {
        "name": "exemption_reason_3ds2",
        "kind": "text",
        "about": "Why the payment asks to go without authentication of the customer.",
        "choices": [
          "low-value",
          "trusted-beneficiary",
          "transaction-risk-analysis"
        ]
      },
      {
        "name": "sca_exemption_reason",
        "kind": "text",
        "about": "Another name of `exemption_reason_3ds2`.",
        "choices": [
          "low-value",
          "trusted-beneficiary",
          "transaction-risk-analysis"
        ]
      },
      {
        "name": "challenge_indicator",
        "kind": "text",
        "about": "Whether you wish the issuer to challenge the customer.",
        "choices": [
          "no-preference",
          "no-challenge-requested",
          "challenge-requested",
          "challenge-requested-mandate",
          "no-challenge-requested-tra-performed",
          "no-challenge-requested-data-share-only",
          "no-challenge-requested-sca-performed",
          "no-challenge-requested-whitelist-exemption",
          "challenge-requested-whitelist-prompt",
          "cb-scoring"
        ]
      },
      {
        "name": "statement_descriptor",
        "kind": "text",
        "about": "What the customer’s statement says; empty where you have named nothing."
      },
      {
        "name": "statement_descriptor_phone",
        "kind": "text",
        "about": "Your phone number on the statement."
      },
      {
        "name": "statement_descriptor_city",
        "kind": "text",
        "about": "Your city on the statement."
      },
      {
        "name": "statement_descriptor_company",
        "kind": "text",
        "about": "Your company on the statement, and on the payment page."
      },
      {
        "name": "statement_descriptor_url",
        "kind": "text",
        "about": "Your address in the web on the statement."
      },
      {
        "name": "webhook_url",
        "kind": "text",
        "about": "The address that is sent the events of this invoice, beside your webhook endpoints."
      },
      {
        "name": "return_url",
        "kind": "text",
        "about": "Where the customer comes back to after the payment page or an authentication."
      },
      {
        "name": "cancel_url",
        "kind": "text",
        "about": "Where the customer comes back to who does not pay."
      },
      {
        "name": "merchant_initiator_type",
        "kind": "text",
        "about": "Why you pay in the customer’s absence.",
        "choices": [
          "recurring",
          "one-off"
        ]
      },
      {
        "name": "initiation_type",
        "kind": "text",
        "about": "Who initiates the payment: the cardholder (`cit`) or you (`mit`)."
      },
      {
        "name": "payment_intent",
        "kind": "text",
        "about": "What the payment is for, as schemes tell payments apart.",
        "choices": [
          "one-off",
          "recurring",
          "recurring-standing-order",
          "recurring-subscription",
          "installment",
          "unscheduled",
          "unscheduled-delayed-charge",
          "unscheduled-resubmission",
          "unscheduled-no-show",
          "unscheduled-reauthorization"
        ]
      },
      {
        "name": "payment_type",
        "kind": "text",
        "about": "Whether the customer orders in the web, or by mail or phone.",
        "choices": [
          "moto",
          "ecommerce"
        ]
      },
      {
        "name": "incremental",
        "kind": "boolean",
        "about": "Whether the authorization may be raised later."
      },
      {
        "name": "unsupported_feature_bypass",
        "kind": "json",
        "about": "What may be left out where the gateway cannot do it."
      },
      {
        "name": "auto_capture_at",
        "kind": "text",
        "about": "When a payment of the invoice is captured by itself."
      },
      {
        "name": "expires_at",
        "kind": "text",
        "about": "Until when the invoice can be paid."
      },
      {
        "name": "require_backend_capture",
        "kind": "boolean",
        "about": "Whether only your server may capture."
      },
      {
        "name": "device",
        "kind": "json",
        "about": "The device with which the customer pays."
      },
      {
        "name": "risk",
        "kind": "json",
        "about": "Your own assessment of the payment."
      },
      {
        "name": "shipping",
        "kind": "json",
        "about": "Where and how the order is sent."
      },
      {
        "name": "billing",
        "kind": "json",
        "about": "The address of the bill."
      },
      {
        "name": "tax",
        "kind": "json",
        "about": "The tax within the amount."
      },
      {
        "name": "external_fraud_tools",
        "kind": "json",
        "about": "Data for tools against fraud."
      },
      {
        "name": "payment_methods",
        "kind": "json",
        "about": "The ways to pay, as you sent them."
      }
    ],
    "secretFields": [],
    "example": {
      "ids": [],
      "body": {
        "name": "Order 000042",
        "amount": "129.90",
        "currency": "EUR",
        "order_id": "000042",
        "return_url": "https://shop.example/orders/000042/paid"
      }
    }
  },
  {
    "method": "invoices.list",
    "summary": "List invoices",
    "ids": [],
    "isList": true,
    "takesBody": false,
    "changes": false,
    "expands": true,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [],
      "body": {}
    }
  },
  {
    "method": "invoices.retrieve",
    "summary": "Retrieve an invoice",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": false,
    "changes": false,
    "expands": true,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [
        "iv_…"
      ],
      "body": {}
    }
  },
  {
    "method": "invoices.update",
    "summary": "Change an invoice",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": true,
    "changes": true,
    "expands": true,
    "fields": [
      {
        "name": "name",
        "kind": "text",
        "about": "The name of the invoice, which the customer reads on the payment page."
      },
      {
        "name": "amount",
        "kind": "text",
        "about": "What is to be paid."
      },
      {
        "name": "currency",
        "kind": "text",
        "about": "The currency of every amount of the invoice, by ISO 4217."
      },
      {
        "name": "customer_id",
        "kind": "text",
        "about": "Who pays the invoice."
      },
      {
        "name": "token_id",
        "kind": "text",
        "about": "The stored payment source that the invoice is meant for."
      },
      {
        "name": "details",
        "kind": "json",
        "about": "The lines of the invoice; null without any. They need not add up to the amount."
      },
      {
        "name": "order_id",
        "kind": "text",
        "about": "Your order. Several invoices may have the same."
      },
      {
        "name": "reference_id",
        "kind": "text",
        "about": "Your own id of the invoice, unique in project and environment."
      },
      {
        "name": "verification",
        "kind": "boolean",
        "about": "Whether the invoice only verifies a payment source."
      },
      {
        "name": "metadata",
        "kind": "json",
        "about": "Your own keys and values."
      },
      {
        "name": "gateway_data",
        "kind": "json",
        "about": "Data for gateways, as you sent it."
      },
      {
        "name": "exemption_reason_3ds2",
        "kind": "text",
        "about": "Why the payment asks to go without authentication of the customer.",
        "choices": [
          "low-value",
          "trusted-beneficiary",
          "transaction-risk-analysis",
          ""
        ]
      },
      {
        "name": "sca_exemption_reason",
        "kind": "text",
        "about": "Another name of `exemption_reason_3ds2`.",
        "choices": [
          "low-value",
          "trusted-beneficiary",
          "transaction-risk-analysis",
          ""
        ]
      },
      {
        "name": "challenge_indicator",
        "kind": "text",
        "about": "Whether you wish the issuer to challenge the customer.",
        "choices": [
          "no-preference",
          "no-challenge-requested",
          "challenge-requested",
          "challenge-requested-mandate",
          "no-challenge-requested-tra-performed",
          "no-challenge-requested-data-share-only",
          "no-challenge-requested-sca-performed",
          "no-challenge-requested-whitelist-exemption",
          "challenge-requested-whitelist-prompt",
          "cb-scoring",
          ""
        ]
      },
      {
        "name": "statement_descriptor",
        "kind": "text",
        "about": "What the customer’s statement says; empty where you have named nothing."
      },
      {
        "name": "statement_descriptor_phone",
        "kind": "text",
        "about": "Your phone number on the statement."
      },
      {
        "name": "statement_descriptor_city",
        "kind": "text",
        "about": "Your city on the statement."
      },
      {
        "name": "statement_descriptor_company",
        "kind": "text",
        "about": "Your company on the statement, and on the payment page."
      },
      {
        "name": "statement_descriptor_url",
        "kind": "text",
        "about": "Your address in the web on the statement."
      },
      {
        "name": "webhook_url",
        "kind": "text",
        "about": "The address that is sent the events of this invoice, beside your webhook endpoints."
      },
      {
        "name": "return_url",
        "kind": "text",
        "about": "Where the customer comes back to after the payment page or an authentication."
      },
      {
        "name": "cancel_url",
        "kind": "text",
        "about": "Where the customer comes back to who does not pay."
      },
      {
        "name": "merchant_initiator_type",
        "kind": "text",
        "about": "Why you pay in the customer’s absence.",
        "choices": [
          "recurring",
          "one-off",
          ""
        ]
      },
      {
        "name": "initiation_type",
        "kind": "text",
        "about": "Who initiates the payment: the cardholder (`cit`) or you (`mit`)."
      },
      {
        "name": "payment_intent",
        "kind": "text",
        "about": "What the payment is for, as schemes tell payments apart.",
        "choices": [
          "one-off",
          "recurring",
          "recurring-standing-order",
          "recurring-subscription",
          "installment",
          "unscheduled",
          "unscheduled-delayed-charge",
          "unscheduled-resubmission",
          "unscheduled-no-show",
          "unscheduled-reauthorization",
          ""
        ]
      },
      {
        "name": "payment_type",
        "kind": "text",
        "about": "Whether the customer orders in the web, or by mail or phone.",
        "choices": [
          "moto",
          "ecommerce",
          ""
        ]
      },
      {
        "name": "incremental",
        "kind": "boolean",
        "about": "Whether the authorization may be raised later."
      },
      {
        "name": "unsupported_feature_bypass",
        "kind": "json",
        "about": "What may be left out where the gateway cannot do it."
      },
      {
        "name": "auto_capture_at",
        "kind": "text",
        "about": "When a payment of the invoice is captured by itself."
      },
      {
        "name": "expires_at",
        "kind": "text",
        "about": "Until when the invoice can be paid."
      },
      {
        "name": "require_backend_capture",
        "kind": "boolean",
        "about": "Whether only your server may capture."
      },
      {
        "name": "device",
        "kind": "json",
        "about": "The device with which the customer pays."
      },
      {
        "name": "risk",
        "kind": "json",
        "about": "Your own assessment of the payment."
      },
      {
        "name": "shipping",
        "kind": "json",
        "about": "Where and how the order is sent."
      },
      {
        "name": "billing",
        "kind": "json",
        "about": "The address of the bill."
      },
      {
        "name": "tax",
        "kind": "json",
        "about": "The tax within the amount."
      },
      {
        "name": "external_fraud_tools",
        "kind": "json",
        "about": "Data for tools against fraud."
      },
      {
        "name": "payment_methods",
        "kind": "json",
        "about": "The ways to pay, as you sent them."
      }
    ],
    "secretFields": [],
    "example": {
      "ids": [
        "iv_…"
      ],
      "body": {
        "amount": "134.90",
        "order_id": "000042-A",
        "metadata": {
          "cart": "cart-78"
        }
      }
    }
  },
  {
    "method": "invoices.delete",
    "summary": "Delete an invoice",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": false,
    "changes": true,
    "expands": false,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [
        "iv_…"
      ],
      "body": {}
    }
  },
  {
    "method": "invoices.authorize",
    "summary": "Authorize an invoice",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": true,
    "changes": true,
    "expands": true,
    "fields": [
      {
        "name": "source",
        "kind": "text",
        "about": "Needed where nothing is authorized yet: a card (`card_…`), a token (`tok_…`), a customer for the default token (`cust_…`), or the continuation of a step of 3-D Secure (`gway_req_…`)."
      },
      {
        "name": "authorize_only",
        "kind": "boolean",
        "about": "Whether money is only reserved. Absent it is true of `authorize` and false of `capture`."
      },
      {
        "name": "auto_capture_at",
        "kind": "text",
        "about": "When a payment of the invoice is captured by itself."
      },
      {
        "name": "capture_amount",
        "kind": "text",
        "about": "How much is captured; all that is reserved by default."
      },
      {
        "name": "capture_type",
        "kind": "text",
        "about": "`final`, the default, releases what the capture leaves; `non-final` leaves it for further captures.",
        "choices": [
          "final",
          "non-final"
        ]
      },
      {
        "name": "preferred_scheme",
        "kind": "text",
        "about": "The scheme that is used where the card carries it; before that of token, card and gateway."
      },
      {
        "name": "incremental",
        "kind": "boolean",
        "about": "Whether the authorization may be raised later."
      },
      {
        "name": "invoice_detail_ids",
        "kind": "list",
        "about": "The lines of the invoice to capture: their sum is the amount. A line is captured once; leave the field out for everything."
      },
      {
        "name": "initial_scheme_transaction_id",
        "kind": "text",
        "about": "The scheme’s id of the first payment of a series; by default that of the token’s first payment."
      },
      {
        "name": "override_mac_blocking",
        "kind": "boolean",
        "about": "Send it although the scheme has advised against trying this card again."
      },
      {
        "name": "allow_fallback_to_sale",
        "kind": "boolean",
        "about": "Take the money at once where the gateway does not support separate authorization and capture; never with `auto_capture_at`."
      },
      {
        "name": "save_source",
        "kind": "boolean",
        "about": "Store the card as a token of the invoice’s customer once the payment is approved; needs `client_secret`."
      },
      {
        "name": "enable_three_d_s_2",
        "kind": "boolean",
        "about": "You show the steps of 3-D Secure yourself, by `customer_action`; otherwise the customer is sent to a page."
      }
    ],
    "secretFields": [
      "client_secret",
      "external_three_d_s"
    ],
    "example": {
      "ids": [
        "iv_…"
      ],
      "body": {
        "source": "card_…",
        "authorize_only": true
      }
    }
  },
  {
    "method": "invoices.capture",
    "summary": "Capture an invoice",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": true,
    "changes": true,
    "expands": true,
    "fields": [
      {
        "name": "source",
        "kind": "text",
        "about": "Needed where nothing is authorized yet: a card (`card_…`), a token (`tok_…`), a customer for the default token (`cust_…`), or the continuation of a step of 3-D Secure (`gway_req_…`)."
      },
      {
        "name": "authorize_only",
        "kind": "boolean",
        "about": "Whether money is only reserved. Absent it is true of `authorize` and false of `capture`."
      },
      {
        "name": "auto_capture_at",
        "kind": "text",
        "about": "When a payment of the invoice is captured by itself."
      },
      {
        "name": "capture_amount",
        "kind": "text",
        "about": "How much is captured; all that is reserved by default."
      },
      {
        "name": "capture_type",
        "kind": "text",
        "about": "`final`, the default, releases what the capture leaves; `non-final` leaves it for further captures.",
        "choices": [
          "final",
          "non-final"
        ]
      },
      {
        "name": "preferred_scheme",
        "kind": "text",
        "about": "The scheme that is used where the card carries it; before that of token, card and gateway."
      },
      {
        "name": "incremental",
        "kind": "boolean",
        "about": "Whether the authorization may be raised later."
      },
      {
        "name": "invoice_detail_ids",
        "kind": "list",
        "about": "The lines of the invoice to capture: their sum is the amount. A line is captured once; leave the field out for everything."
      },
      {
        "name": "initial_scheme_transaction_id",
        "kind": "text",
        "about": "The scheme’s id of the first payment of a series; by default that of the token’s first payment."
      },
      {
        "name": "override_mac_blocking",
        "kind": "boolean",
        "about": "Send it although the scheme has advised against trying this card again."
      },
      {
        "name": "allow_fallback_to_sale",
        "kind": "boolean",
        "about": "Take the money at once where the gateway does not support separate authorization and capture; never with `auto_capture_at`."
      },
      {
        "name": "save_source",
        "kind": "boolean",
        "about": "Store the card as a token of the invoice’s customer once the payment is approved; needs `client_secret`."
      },
      {
        "name": "enable_three_d_s_2",
        "kind": "boolean",
        "about": "You show the steps of 3-D Secure yourself, by `customer_action`; otherwise the customer is sent to a page."
      }
    ],
    "secretFields": [
      "client_secret",
      "external_three_d_s"
    ],
    "example": {
      "ids": [
        "iv_…"
      ],
      "body": {
        "capture_amount": "129.90"
      }
    }
  },
  {
    "method": "invoices.authenticate",
    "summary": "Authenticate the customer of an invoice",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": true,
    "changes": true,
    "expands": true,
    "fields": [
      {
        "name": "source",
        "kind": "text",
        "about": "Needed where nothing is authorized yet: a card (`card_…`), a token (`tok_…`), a customer for the default token (`cust_…`), or the continuation of a step of 3-D Secure (`gway_req_…`)."
      },
      {
        "name": "authorize_only",
        "kind": "boolean",
        "about": "Whether money is only reserved. Absent it is true of `authorize` and false of `capture`."
      },
      {
        "name": "auto_capture_at",
        "kind": "text",
        "about": "When a payment of the invoice is captured by itself."
      },
      {
        "name": "capture_amount",
        "kind": "text",
        "about": "How much is captured; all that is reserved by default."
      },
      {
        "name": "capture_type",
        "kind": "text",
        "about": "`final`, the default, releases what the capture leaves; `non-final` leaves it for further captures.",
        "choices": [
          "final",
          "non-final"
        ]
      },
      {
        "name": "preferred_scheme",
        "kind": "text",
        "about": "The scheme that is used where the card carries it; before that of token, card and gateway."
      },
      {
        "name": "incremental",
        "kind": "boolean",
        "about": "Whether the authorization may be raised later."
      },
      {
        "name": "invoice_detail_ids",
        "kind": "list",
        "about": "The lines of the invoice to capture: their sum is the amount. A line is captured once; leave the field out for everything."
      },
      {
        "name": "initial_scheme_transaction_id",
        "kind": "text",
        "about": "The scheme’s id of the first payment of a series; by default that of the token’s first payment."
      },
      {
        "name": "override_mac_blocking",
        "kind": "boolean",
        "about": "Send it although the scheme has advised against trying this card again."
      },
      {
        "name": "allow_fallback_to_sale",
        "kind": "boolean",
        "about": "Take the money at once where the gateway does not support separate authorization and capture; never with `auto_capture_at`."
      },
      {
        "name": "save_source",
        "kind": "boolean",
        "about": "Store the card as a token of the invoice’s customer once the payment is approved; needs `client_secret`."
      },
      {
        "name": "enable_three_d_s_2",
        "kind": "boolean",
        "about": "You show the steps of 3-D Secure yourself, by `customer_action`; otherwise the customer is sent to a page."
      }
    ],
    "secretFields": [
      "client_secret",
      "external_three_d_s"
    ],
    "example": {
      "ids": [
        "iv_…"
      ],
      "body": {
        "source": "card_…",
        "authorize_only": true
      }
    }
  },
  {
    "method": "invoices.incrementAuthorization",
    "summary": "Raise an authorization",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": true,
    "changes": true,
    "expands": true,
    "fields": [
      {
        "name": "amount",
        "kind": "text",
        "about": "By how much the authorization is raised.",
        "isRequired": true
      }
    ],
    "secretFields": [],
    "example": {
      "ids": [
        "iv_…"
      ],
      "body": {
        "amount": "5.00"
      }
    }
  },
  {
    "method": "invoices.void",
    "summary": "Release an authorization",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": true,
    "changes": true,
    "expands": true,
    "fields": [
      {
        "name": "amount",
        "kind": "text",
        "about": "How much is released; everything by default."
      }
    ],
    "secretFields": [],
    "example": {
      "ids": [
        "iv_…"
      ],
      "body": {
        "amount": "129.90"
      }
    }
  },
  {
    "method": "invoices.refund",
    "summary": "Refund an invoice",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": true,
    "changes": true,
    "expands": true,
    "fields": [
      {
        "name": "amount",
        "kind": "text",
        "about": "How much is given back; all that is left by default."
      },
      {
        "name": "invoice_detail_ids",
        "kind": "list",
        "about": "The lines to give back: their sum is the amount. Each line once; leave the field out for everything."
      },
      {
        "name": "reason",
        "kind": "text",
        "about": "Why it is given back.",
        "choices": [
          "customer_request",
          "duplicate",
          "fraud",
          "other"
        ]
      },
      {
        "name": "information",
        "kind": "text",
        "about": "A note for your own staff."
      },
      {
        "name": "metadata",
        "kind": "json",
        "about": "Your own keys and values."
      }
    ],
    "secretFields": [],
    "example": {
      "ids": [
        "iv_…"
      ],
      "body": {
        "amount": "10.00",
        "reason": "customer_request",
        "information": "The socks did not fit"
      }
    }
  },
  {
    "method": "invoices.listRefunds",
    "summary": "List refunds of an invoice",
    "ids": [
      "id"
    ],
    "isList": true,
    "takesBody": false,
    "changes": false,
    "expands": true,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [
        "iv_…"
      ],
      "body": {}
    }
  },
  {
    "method": "transactions.refund",
    "summary": "Refund a transaction",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": true,
    "changes": true,
    "expands": true,
    "fields": [
      {
        "name": "amount",
        "kind": "text",
        "about": "How much is given back; all that is left by default."
      },
      {
        "name": "invoice_detail_ids",
        "kind": "list",
        "about": "The lines to give back: their sum is the amount. Each line once; leave the field out for everything."
      },
      {
        "name": "reason",
        "kind": "text",
        "about": "Why it is given back.",
        "choices": [
          "customer_request",
          "duplicate",
          "fraud",
          "other"
        ]
      },
      {
        "name": "information",
        "kind": "text",
        "about": "A note for your own staff."
      },
      {
        "name": "metadata",
        "kind": "json",
        "about": "Your own keys and values."
      }
    ],
    "secretFields": [],
    "example": {
      "ids": [
        "tr_…"
      ],
      "body": {
        "amount": "10.00",
        "reason": "customer_request",
        "information": "The socks did not fit"
      }
    }
  },
  {
    "method": "transactions.listRefunds",
    "summary": "List refunds of a transaction",
    "ids": [
      "id"
    ],
    "isList": true,
    "takesBody": false,
    "changes": false,
    "expands": true,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [
        "tr_…"
      ],
      "body": {}
    }
  },
  {
    "method": "invoices.synchronize",
    "summary": "Ask the gateway now",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": false,
    "changes": true,
    "expands": true,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [
        "iv_…"
      ],
      "body": {}
    }
  },
  {
    "method": "invoices.advanceClock",
    "summary": "Advance the test clock of a sandbox payment",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": true,
    "changes": true,
    "expands": true,
    "fields": [
      {
        "name": "seconds",
        "kind": "number",
        "about": "By how many seconds the clock is advanced, 1 to 7776000."
      },
      {
        "name": "to",
        "kind": "text",
        "about": "The instant to which the clock is advanced, in place of `seconds`."
      }
    ],
    "secretFields": [],
    "example": {
      "ids": [
        "iv_…"
      ],
      "body": {
        "seconds": 259200
      }
    }
  },
  {
    "method": "transactions.list",
    "summary": "List transactions",
    "ids": [],
    "isList": true,
    "takesBody": false,
    "changes": false,
    "expands": true,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [],
      "body": {}
    }
  },
  {
    "method": "invoices.listTransactions",
    "summary": "List transactions of an invoice",
    "ids": [
      "id"
    ],
    "isList": true,
    "takesBody": false,
    "changes": false,
    "expands": true,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [
        "iv_…"
      ],
      "body": {}
    }
  },
  {
    "method": "customers.listTransactions",
    "summary": "List transactions of a customer",
    "ids": [
      "id"
    ],
    "isList": true,
    "takesBody": false,
    "changes": false,
    "expands": true,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [
        "cust_…"
      ],
      "body": {}
    }
  },
  {
    "method": "refunds.list",
    "summary": "List refunds",
    "ids": [],
    "isList": true,
    "takesBody": false,
    "changes": false,
    "expands": true,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [],
      "body": {}
    }
  },
  {
    "method": "disputes.list",
    "summary": "List disputes",
    "ids": [],
    "isList": true,
    "takesBody": false,
    "changes": false,
    "expands": true,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [],
      "body": {}
    }
  },
  {
    "method": "transactions.retrieve",
    "summary": "Retrieve a transaction",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": false,
    "changes": false,
    "expands": true,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [
        "tr_…"
      ],
      "body": {}
    }
  },
  {
    "method": "transactions.retrieveRefund",
    "summary": "Retrieve a refund",
    "ids": [
      "transactionId",
      "refundId"
    ],
    "isList": false,
    "takesBody": false,
    "changes": false,
    "expands": true,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [
        "tr_…",
        "refd_…"
      ],
      "body": {}
    }
  },
  {
    "method": "cards.create",
    "summary": "Create a card",
    "ids": [],
    "isList": false,
    "takesBody": true,
    "changes": true,
    "expands": true,
    "fields": [
      {
        "name": "exp_month",
        "kind": "number",
        "about": "The month of expiry, 1 to 12.",
        "isRequired": true
      },
      {
        "name": "exp_year",
        "kind": "number",
        "about": "The year of expiry, in two or four digits.",
        "isRequired": true
      },
      {
        "name": "name",
        "kind": "text",
        "about": "The name of the holder."
      },
      {
        "name": "preferred_scheme",
        "kind": "text",
        "about": "The scheme that is used where the card carries it."
      },
      {
        "name": "metadata",
        "kind": "json",
        "about": "Your own keys and values."
      },
      {
        "name": "contact",
        "kind": "json",
        "about": "The address of the holder."
      },
      {
        "name": "device",
        "kind": "json",
        "about": "The browser of the holder, as you saw it; issuers judge by it."
      },
      {
        "name": "token_type",
        "kind": "text",
        "about": "The wallet or network behind a number that is not the card’s own, such as `applepay`."
      }
    ],
    "secretFields": [
      "number",
      "cvc2"
    ],
    "example": {
      "ids": [],
      "body": {
        "number": "4242424242424242",
        "exp_month": 12,
        "exp_year": 2030,
        "cvc2": "123",
        "name": "Ann Martin"
      }
    }
  },
  {
    "method": "cards.list",
    "summary": "List cards",
    "ids": [],
    "isList": true,
    "takesBody": false,
    "changes": false,
    "expands": true,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [],
      "body": {}
    }
  },
  {
    "method": "cards.retrieve",
    "summary": "Retrieve a card",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": false,
    "changes": false,
    "expands": true,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [
        "card_…"
      ],
      "body": {}
    }
  },
  {
    "method": "cards.update",
    "summary": "Change a card",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": true,
    "changes": true,
    "expands": true,
    "fields": [
      {
        "name": "preferred_scheme",
        "kind": "text",
        "about": "The scheme that is used where the card carries it."
      },
      {
        "name": "name",
        "kind": "text",
        "about": "The name of the holder."
      },
      {
        "name": "metadata",
        "kind": "json",
        "about": "Your own keys and values."
      }
    ],
    "secretFields": [
      "cvc2"
    ],
    "example": {
      "ids": [
        "card_…"
      ],
      "body": {
        "cvc2": "123",
        "preferred_scheme": "visa"
      }
    }
  },
  {
    "method": "cards.delete",
    "summary": "Delete a card",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": false,
    "changes": true,
    "expands": false,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [
        "card_…"
      ],
      "body": {}
    }
  },
  {
    "method": "iins.retrieve",
    "summary": "Look up the first digits of a card",
    "ids": [
      "iin"
    ],
    "isList": false,
    "takesBody": false,
    "changes": false,
    "expands": false,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [
        "424242"
      ],
      "body": {}
    }
  },
  {
    "method": "customers.list",
    "summary": "List customers",
    "ids": [],
    "isList": true,
    "takesBody": false,
    "changes": false,
    "expands": true,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [],
      "body": {}
    }
  },
  {
    "method": "customers.create",
    "summary": "Create a customer",
    "ids": [],
    "isList": false,
    "takesBody": true,
    "changes": true,
    "expands": true,
    "fields": [
      {
        "name": "email",
        "kind": "text",
        "about": "The email address."
      },
      {
        "name": "first_name",
        "kind": "text",
        "about": "The first name."
      },
      {
        "name": "last_name",
        "kind": "text",
        "about": "The last name."
      },
      {
        "name": "address1",
        "kind": "text",
        "about": "The first line of the address."
      },
      {
        "name": "address2",
        "kind": "text",
        "about": "The second line of the address."
      },
      {
        "name": "city",
        "kind": "text",
        "about": "The city."
      },
      {
        "name": "state",
        "kind": "text",
        "about": "The state or region."
      },
      {
        "name": "country_code",
        "kind": "text",
        "about": "The country, by ISO 3166."
      },
      {
        "name": "zip",
        "kind": "text",
        "about": "The postal code."
      },
      {
        "name": "phone_number",
        "kind": "text",
        "about": "The phone number in one piece."
      },
      {
        "name": "legal_document",
        "kind": "text",
        "about": "The number of an identity document or tax registration."
      },
      {
        "name": "ip_address",
        "kind": "text",
        "about": "The address of the customer’s device."
      },
      {
        "name": "sex",
        "kind": "text",
        "about": "The sex of the customer.",
        "choices": [
          "male",
          "female"
        ]
      },
      {
        "name": "date_of_birth",
        "kind": "text",
        "about": "The day of birth, as its beginning in UTC."
      },
      {
        "name": "is_business",
        "kind": "boolean",
        "about": "Whether the customer is a business."
      },
      {
        "name": "currency",
        "kind": "text",
        "about": "The currency of the balance; it cannot be changed once it is set."
      },
      {
        "name": "balance",
        "kind": "text",
        "about": "A balance that you keep here, negative where the customer owes. No payment takes from it."
      },
      {
        "name": "metadata",
        "kind": "json",
        "about": "Your own keys and values."
      },
      {
        "name": "reference_id",
        "kind": "text",
        "about": "Your own id of the customer."
      },
      {
        "name": "registered_at",
        "kind": "text",
        "about": "When the customer became yours."
      }
    ],
    "secretFields": [
      "phone"
    ],
    "example": {
      "ids": [],
      "body": {
        "email": "ann.martin@shopper.example",
        "first_name": "Ann",
        "last_name": "Martin",
        "country_code": "FR"
      }
    }
  },
  {
    "method": "invoices.retrieveCustomer",
    "summary": "Retrieve the customer of an invoice",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": false,
    "changes": false,
    "expands": false,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [
        "iv_…"
      ],
      "body": {}
    }
  },
  {
    "method": "invoices.assignCustomer",
    "summary": "Give an invoice its customer",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": true,
    "changes": true,
    "expands": true,
    "fields": [
      {
        "name": "email",
        "kind": "text",
        "about": "The email address."
      },
      {
        "name": "first_name",
        "kind": "text",
        "about": "The first name."
      },
      {
        "name": "last_name",
        "kind": "text",
        "about": "The last name."
      },
      {
        "name": "address1",
        "kind": "text",
        "about": "The first line of the address."
      },
      {
        "name": "address2",
        "kind": "text",
        "about": "The second line of the address."
      },
      {
        "name": "city",
        "kind": "text",
        "about": "The city."
      },
      {
        "name": "state",
        "kind": "text",
        "about": "The state or region."
      },
      {
        "name": "country_code",
        "kind": "text",
        "about": "The country, by ISO 3166."
      },
      {
        "name": "zip",
        "kind": "text",
        "about": "The postal code."
      },
      {
        "name": "phone_number",
        "kind": "text",
        "about": "The phone number in one piece."
      },
      {
        "name": "legal_document",
        "kind": "text",
        "about": "The number of an identity document or tax registration."
      },
      {
        "name": "ip_address",
        "kind": "text",
        "about": "The address of the customer’s device."
      },
      {
        "name": "sex",
        "kind": "text",
        "about": "The sex of the customer.",
        "choices": [
          "male",
          "female"
        ]
      },
      {
        "name": "date_of_birth",
        "kind": "text",
        "about": "The day of birth, as its beginning in UTC."
      },
      {
        "name": "is_business",
        "kind": "boolean",
        "about": "Whether the customer is a business."
      },
      {
        "name": "currency",
        "kind": "text",
        "about": "The currency of the balance; it cannot be changed once it is set."
      },
      {
        "name": "balance",
        "kind": "text",
        "about": "A balance that you keep here, negative where the customer owes. No payment takes from it."
      },
      {
        "name": "metadata",
        "kind": "json",
        "about": "Your own keys and values."
      },
      {
        "name": "reference_id",
        "kind": "text",
        "about": "Your own id of the customer."
      },
      {
        "name": "registered_at",
        "kind": "text",
        "about": "When the customer became yours."
      },
      {
        "name": "customer_id",
        "kind": "text",
        "about": "A customer that is there; without it a new one is made of the other fields."
      }
    ],
    "secretFields": [
      "phone"
    ],
    "example": {
      "ids": [
        "iv_…"
      ],
      "body": {
        "customer_id": "cust_…"
      }
    }
  },
  {
    "method": "customers.retrieve",
    "summary": "Retrieve a customer",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": false,
    "changes": false,
    "expands": true,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [
        "cust_…"
      ],
      "body": {}
    }
  },
  {
    "method": "customers.update",
    "summary": "Change a customer",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": true,
    "changes": true,
    "expands": true,
    "fields": [
      {
        "name": "email",
        "kind": "text",
        "about": "The email address."
      },
      {
        "name": "first_name",
        "kind": "text",
        "about": "The first name."
      },
      {
        "name": "last_name",
        "kind": "text",
        "about": "The last name."
      },
      {
        "name": "address1",
        "kind": "text",
        "about": "The first line of the address."
      },
      {
        "name": "address2",
        "kind": "text",
        "about": "The second line of the address."
      },
      {
        "name": "city",
        "kind": "text",
        "about": "The city."
      },
      {
        "name": "state",
        "kind": "text",
        "about": "The state or region."
      },
      {
        "name": "country_code",
        "kind": "text",
        "about": "The country, by ISO 3166."
      },
      {
        "name": "zip",
        "kind": "text",
        "about": "The postal code."
      },
      {
        "name": "phone_number",
        "kind": "text",
        "about": "The phone number in one piece."
      },
      {
        "name": "legal_document",
        "kind": "text",
        "about": "The number of an identity document or tax registration."
      },
      {
        "name": "ip_address",
        "kind": "text",
        "about": "The address of the customer’s device."
      },
      {
        "name": "sex",
        "kind": "text",
        "about": "The sex of the customer.",
        "choices": [
          "male",
          "female",
          ""
        ]
      },
      {
        "name": "date_of_birth",
        "kind": "text",
        "about": "The day of birth, as its beginning in UTC."
      },
      {
        "name": "is_business",
        "kind": "boolean",
        "about": "Whether the customer is a business."
      },
      {
        "name": "currency",
        "kind": "text",
        "about": "The currency of the balance; it cannot be changed once it is set."
      },
      {
        "name": "balance",
        "kind": "text",
        "about": "A balance that you keep here, negative where the customer owes. No payment takes from it."
      },
      {
        "name": "metadata",
        "kind": "json",
        "about": "Your own keys and values."
      },
      {
        "name": "reference_id",
        "kind": "text",
        "about": "Your own id of the customer."
      },
      {
        "name": "registered_at",
        "kind": "text",
        "about": "When the customer became yours."
      },
      {
        "name": "default_token_id",
        "kind": "text",
        "about": "The token that is charged where the customer is the `source`."
      }
    ],
    "secretFields": [
      "phone"
    ],
    "example": {
      "ids": [
        "cust_…"
      ],
      "body": {
        "email": "ann@shopper.example",
        "phone": {
          "number": "198765432",
          "dialing_code": "+33"
        }
      }
    }
  },
  {
    "method": "customers.delete",
    "summary": "Delete a customer",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": false,
    "changes": true,
    "expands": false,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [
        "cust_…"
      ],
      "body": {}
    }
  },
  {
    "method": "customers.tokens.list",
    "summary": "List tokens of a customer",
    "ids": [
      "id"
    ],
    "isList": true,
    "takesBody": false,
    "changes": false,
    "expands": true,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [
        "cust_…"
      ],
      "body": {}
    }
  },
  {
    "method": "customers.tokens.create",
    "summary": "Store a payment source",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": true,
    "changes": true,
    "expands": true,
    "fields": [
      {
        "name": "source",
        "kind": "text",
        "about": "A card that was not used (`card_…`). Without it the token waits for one. Of a token whose verification waits for the customer: the answer to `customer_action` (`gway_req_…`)."
      },
      {
        "name": "set_default",
        "kind": "boolean",
        "about": "Whether the token becomes the default one of its customer."
      },
      {
        "name": "summary",
        "kind": "text",
        "about": "The source in a few words, such as `visa 4242`."
      },
      {
        "name": "description",
        "kind": "text",
        "about": "Your own description of the source."
      },
      {
        "name": "metadata",
        "kind": "json",
        "about": "Your own keys and values."
      },
      {
        "name": "return_url",
        "kind": "text",
        "about": "Where the customer is sent after a verification."
      },
      {
        "name": "cancel_url",
        "kind": "text",
        "about": "Where the customer is sent after cancelling a verification."
      },
      {
        "name": "webhook_url",
        "kind": "text",
        "about": "The address that is sent the events of this token."
      },
      {
        "name": "gateway_configuration_id",
        "kind": "text",
        "about": "The account that you named; it does not limit where the token is charged."
      },
      {
        "name": "preferred_scheme",
        "kind": "text",
        "about": "The scheme that is used where the card carries it; it counts before that of the card."
      },
      {
        "name": "manual_invoice_cancellation",
        "kind": "boolean",
        "about": "Whether what a verification reserved stays until you release it."
      },
      {
        "name": "verify",
        "kind": "boolean",
        "about": "Whether the issuer is asked about the card, without a charge."
      },
      {
        "name": "verify_metadata",
        "kind": "json",
        "about": "The metadata of the invoice that verifies it."
      },
      {
        "name": "verify_statement_descriptor",
        "kind": "text",
        "about": "What the statement says of the verification."
      },
      {
        "name": "invoice_id",
        "kind": "text",
        "about": "An unpaid invoice of yours with `verification`, by which it is verified; one of nothing by default."
      },
      {
        "name": "invoice_return_url",
        "kind": "text",
        "about": "Where the customer comes back to after the verification."
      },
      {
        "name": "device",
        "kind": "json",
        "about": "The device with which the customer pays."
      },
      {
        "name": "enable_three_d_s_2",
        "kind": "boolean",
        "about": "You show the steps of a verification yourself, by `customer_action`; otherwise it names a page for the customer."
      }
    ],
    "secretFields": [],
    "example": {
      "ids": [
        "cust_…"
      ],
      "body": {
        "source": "card_…",
        "set_default": true
      }
    }
  },
  {
    "method": "customers.tokens.retrieve",
    "summary": "Retrieve a token",
    "ids": [
      "customerId",
      "tokenId"
    ],
    "isList": false,
    "takesBody": false,
    "changes": false,
    "expands": true,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [
        "cust_…",
        "tok_…"
      ],
      "body": {}
    }
  },
  {
    "method": "customers.tokens.update",
    "summary": "Change a token",
    "ids": [
      "customerId",
      "tokenId"
    ],
    "isList": false,
    "takesBody": true,
    "changes": true,
    "expands": true,
    "fields": [
      {
        "name": "source",
        "kind": "text",
        "about": "A card that was not used (`card_…`). Without it the token waits for one. Of a token whose verification waits for the customer: the answer to `customer_action` (`gway_req_…`)."
      },
      {
        "name": "set_default",
        "kind": "boolean",
        "about": "Whether the token becomes the default one of its customer."
      },
      {
        "name": "summary",
        "kind": "text",
        "about": "The source in a few words, such as `visa 4242`."
      },
      {
        "name": "description",
        "kind": "text",
        "about": "Your own description of the source."
      },
      {
        "name": "metadata",
        "kind": "json",
        "about": "Your own keys and values."
      },
      {
        "name": "return_url",
        "kind": "text",
        "about": "Where the customer is sent after a verification."
      },
      {
        "name": "cancel_url",
        "kind": "text",
        "about": "Where the customer is sent after cancelling a verification."
      },
      {
        "name": "webhook_url",
        "kind": "text",
        "about": "The address that is sent the events of this token."
      },
      {
        "name": "gateway_configuration_id",
        "kind": "text",
        "about": "The account that you named; it does not limit where the token is charged."
      },
      {
        "name": "preferred_scheme",
        "kind": "text",
        "about": "The scheme that is used where the card carries it; it counts before that of the card."
      },
      {
        "name": "manual_invoice_cancellation",
        "kind": "boolean",
        "about": "Whether what a verification reserved stays until you release it."
      },
      {
        "name": "verify",
        "kind": "boolean",
        "about": "Whether the issuer is asked about the card, without a charge."
      },
      {
        "name": "verify_metadata",
        "kind": "json",
        "about": "The metadata of the invoice that verifies it."
      },
      {
        "name": "verify_statement_descriptor",
        "kind": "text",
        "about": "What the statement says of the verification."
      },
      {
        "name": "invoice_id",
        "kind": "text",
        "about": "An unpaid invoice of yours with `verification`, by which it is verified; one of nothing by default."
      },
      {
        "name": "invoice_return_url",
        "kind": "text",
        "about": "Where the customer comes back to after the verification."
      },
      {
        "name": "device",
        "kind": "json",
        "about": "The device with which the customer pays."
      },
      {
        "name": "enable_three_d_s_2",
        "kind": "boolean",
        "about": "You show the steps of a verification yourself, by `customer_action`; otherwise it names a page for the customer."
      }
    ],
    "secretFields": [],
    "example": {
      "ids": [
        "cust_…",
        "tok_…"
      ],
      "body": {
        "set_default": true
      }
    }
  },
  {
    "method": "customers.tokens.delete",
    "summary": "Delete a token",
    "ids": [
      "customerId",
      "tokenId"
    ],
    "isList": false,
    "takesBody": false,
    "changes": true,
    "expands": false,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [
        "cust_…",
        "tok_…"
      ],
      "body": {}
    }
  },
  {
    "method": "events.list",
    "summary": "List events",
    "ids": [],
    "isList": true,
    "takesBody": false,
    "changes": false,
    "expands": true,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [],
      "body": {}
    }
  },
  {
    "method": "events.listWebhooks",
    "summary": "List deliveries of an event",
    "ids": [
      "id"
    ],
    "isList": true,
    "takesBody": false,
    "changes": false,
    "expands": true,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [
        "ev_…"
      ],
      "body": {}
    }
  },
  {
    "method": "webhookEndpoints.listWebhooks",
    "summary": "List deliveries of a webhook endpoint",
    "ids": [
      "id"
    ],
    "isList": true,
    "takesBody": false,
    "changes": false,
    "expands": true,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [
        "whe_…"
      ],
      "body": {}
    }
  },
  {
    "method": "events.listUndeliveredWebhooks",
    "summary": "List deliveries that have not arrived",
    "ids": [],
    "isList": true,
    "takesBody": false,
    "changes": false,
    "expands": true,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [],
      "body": {}
    }
  },
  {
    "method": "events.retrieve",
    "summary": "Retrieve an event",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": false,
    "changes": false,
    "expands": true,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [
        "ev_…"
      ],
      "body": {}
    }
  },
  {
    "method": "events.resend",
    "summary": "Send an event again",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": true,
    "changes": true,
    "expands": false,
    "fields": [
      {
        "name": "endpoint_id",
        "kind": "text",
        "about": "The one endpoint that it is sent to."
      }
    ],
    "secretFields": [],
    "example": {
      "ids": [
        "ev_…"
      ],
      "body": {
        "endpoint_id": "whe_…"
      }
    }
  },
  {
    "method": "webhookEndpoints.create",
    "summary": "Create a webhook endpoint",
    "ids": [],
    "isList": false,
    "takesBody": true,
    "changes": true,
    "expands": false,
    "fields": [
      {
        "name": "url",
        "kind": "text",
        "about": "Where events are sent to.",
        "isRequired": true
      },
      {
        "name": "description",
        "kind": "text",
        "about": "Your own description."
      },
      {
        "name": "events_whitelist",
        "kind": "list",
        "about": "The events that are sent; null for all, those of later versions included."
      },
      {
        "name": "enabled",
        "kind": "boolean",
        "about": "Whether events are sent."
      },
      {
        "name": "sign_with_ed25519",
        "kind": "boolean",
        "about": "Whether webhooks are signed with Ed25519 as well."
      }
    ],
    "secretFields": [],
    "example": {
      "ids": [],
      "body": {
        "url": "https://shop.example/webhooks",
        "description": "The order system",
        "events_whitelist": [
          "transaction.captured",
          "transaction.refunded"
        ]
      }
    }
  },
  {
    "method": "webhookEndpoints.list",
    "summary": "List webhook endpoints",
    "ids": [],
    "isList": true,
    "takesBody": false,
    "changes": false,
    "expands": false,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [],
      "body": {}
    }
  },
  {
    "method": "webhookEndpoints.retrieve",
    "summary": "Retrieve a webhook endpoint",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": false,
    "changes": false,
    "expands": false,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [
        "whe_…"
      ],
      "body": {}
    }
  },
  {
    "method": "webhookEndpoints.update",
    "summary": "Change a webhook endpoint",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": true,
    "changes": true,
    "expands": false,
    "fields": [
      {
        "name": "url",
        "kind": "text",
        "about": "Where events are sent to."
      },
      {
        "name": "description",
        "kind": "text",
        "about": "Your own description."
      },
      {
        "name": "events_whitelist",
        "kind": "list",
        "about": "The events that are sent; null for all, those of later versions included."
      },
      {
        "name": "enabled",
        "kind": "boolean",
        "about": "Whether events are sent."
      },
      {
        "name": "sign_with_ed25519",
        "kind": "boolean",
        "about": "Whether webhooks are signed with Ed25519 as well."
      }
    ],
    "secretFields": [],
    "example": {
      "ids": [
        "whe_…"
      ],
      "body": {
        "description": "The order system in Paris",
        "events_whitelist": [
          "*"
        ]
      }
    }
  },
  {
    "method": "webhookEndpoints.delete",
    "summary": "Delete a webhook endpoint",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": false,
    "changes": true,
    "expands": false,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [
        "whe_…"
      ],
      "body": {}
    }
  },
  {
    "method": "webhookEndpoints.rotateSecret",
    "summary": "Rotate the secret of a webhook endpoint",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": true,
    "changes": true,
    "expands": false,
    "fields": [
      {
        "name": "previous_expires_in",
        "kind": "number",
        "about": "How many seconds the previous secret also signs."
      }
    ],
    "secretFields": [],
    "example": {
      "ids": [
        "whe_…"
      ],
      "body": {
        "previous_expires_in": 3600
      }
    }
  },
  {
    "method": "webhookEndpoints.test",
    "summary": "Try out a webhook endpoint",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": false,
    "changes": true,
    "expands": false,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [
        "whe_…"
      ],
      "body": {}
    }
  },
  {
    "method": "webhookEndpoints.recover",
    "summary": "Send a webhook endpoint what it has missed",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": true,
    "changes": true,
    "expands": false,
    "fields": [
      {
        "name": "since",
        "kind": "text",
        "about": "Events fired from this instant on.",
        "isRequired": true
      },
      {
        "name": "until",
        "kind": "text",
        "about": "Events fired before this instant; now by default."
      }
    ],
    "secretFields": [],
    "example": {
      "ids": [
        "whe_…"
      ],
      "body": {
        "since": "2026-11-20T09:00:00.000Z",
        "until": "2026-11-21T09:00:00.000Z"
      }
    }
  },
  {
    "method": "gatewayConfigurations.list",
    "summary": "List gateway configurations",
    "ids": [],
    "isList": true,
    "takesBody": false,
    "changes": false,
    "expands": false,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [],
      "body": {}
    }
  },
  {
    "method": "gatewayConfigurations.listOfGateway",
    "summary": "List gateway configurations of a gateway",
    "ids": [
      "name"
    ],
    "isList": true,
    "takesBody": false,
    "changes": false,
    "expands": false,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [
        "simulator"
      ],
      "body": {}
    }
  },
  {
    "method": "gatewayConfigurations.create",
    "summary": "Create a gateway configuration",
    "ids": [
      "name"
    ],
    "isList": false,
    "takesBody": true,
    "changes": true,
    "expands": false,
    "fields": [
      {
        "name": "name",
        "kind": "text",
        "about": "Your own name of the account.",
        "isRequired": true
      },
      {
        "name": "enabled",
        "kind": "boolean",
        "about": "Whether new payments may go there. What is there goes on in any case."
      },
      {
        "name": "default_currency",
        "kind": "text",
        "about": "The currency of the account, for you and for routing."
      },
      {
        "name": "processing_region",
        "kind": "text",
        "about": "Where the account is processed, such as `EEA`."
      },
      {
        "name": "merchant_account_country_code",
        "kind": "text",
        "about": "The country of the account."
      },
      {
        "name": "default_preferred_scheme",
        "kind": "text",
        "about": "The scheme of co-badged cards where nothing else names one."
      },
      {
        "name": "metadata",
        "kind": "json",
        "about": "Your own keys and values."
      },
      {
        "name": "settings",
        "kind": "json",
        "about": "How the adapter of the gateway is set up."
      },
      {
        "name": "capabilities",
        "kind": "json",
        "about": "What can be done there; null where the gateway is not installed any more."
      },
      {
        "name": "authorization_validity",
        "kind": "json",
        "about": "How long authorizations hold where that is less than 7 days; the shortest that fits holds."
      }
    ],
    "secretFields": [
      "credentials"
    ],
    "example": {
      "ids": [
        "simulator"
      ],
      "body": {
        "name": "Sandbox account",
        "settings": {
          "delay_ms": "50"
        }
      }
    }
  },
  {
    "method": "gatewayConfigurations.retrieve",
    "summary": "Retrieve a gateway configuration",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": false,
    "changes": false,
    "expands": false,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [
        "gway_conf_…"
      ],
      "body": {}
    }
  },
  {
    "method": "gatewayConfigurations.update",
    "summary": "Change a gateway configuration",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": true,
    "changes": true,
    "expands": false,
    "fields": [
      {
        "name": "name",
        "kind": "text",
        "about": "Your own name of the account."
      },
      {
        "name": "enabled",
        "kind": "boolean",
        "about": "Whether new payments may go there. What is there goes on in any case."
      },
      {
        "name": "default_currency",
        "kind": "text",
        "about": "The currency of the account, for you and for routing."
      },
      {
        "name": "processing_region",
        "kind": "text",
        "about": "Where the account is processed, such as `EEA`."
      },
      {
        "name": "merchant_account_country_code",
        "kind": "text",
        "about": "The country of the account."
      },
      {
        "name": "default_preferred_scheme",
        "kind": "text",
        "about": "The scheme of co-badged cards where nothing else names one."
      },
      {
        "name": "metadata",
        "kind": "json",
        "about": "Your own keys and values."
      },
      {
        "name": "settings",
        "kind": "json",
        "about": "How the adapter of the gateway is set up."
      },
      {
        "name": "capabilities",
        "kind": "json",
        "about": "What can be done there; null where the gateway is not installed any more."
      },
      {
        "name": "authorization_validity",
        "kind": "json",
        "about": "How long authorizations hold where that is less than 7 days; the shortest that fits holds."
      }
    ],
    "secretFields": [
      "credentials"
    ],
    "example": {
      "ids": [
        "gway_conf_…"
      ],
      "body": {
        "enabled": false
      }
    }
  },
  {
    "method": "gatewayConfigurations.delete",
    "summary": "Delete a gateway configuration",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": false,
    "changes": true,
    "expands": false,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [
        "gway_conf_…"
      ],
      "body": {}
    }
  },
  {
    "method": "reconciliations.list",
    "summary": "List reconciliations",
    "ids": [],
    "isList": true,
    "takesBody": false,
    "changes": false,
    "expands": true,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [],
      "body": {}
    }
  },
  {
    "method": "reconciliationDifferences.list",
    "summary": "List differences of reconciliations",
    "ids": [],
    "isList": true,
    "takesBody": false,
    "changes": false,
    "expands": true,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [],
      "body": {}
    }
  },
  {
    "method": "gatewayConfigurations.handInSettlementFile",
    "summary": "Hand in a report of a gateway",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": true,
    "changes": true,
    "expands": true,
    "fields": [
      {
        "name": "content",
        "kind": "text",
        "about": "The whole text of the report, with its line of headers.",
        "isRequired": true
      }
    ],
    "secretFields": [],
    "example": {
      "ids": [
        "gway_conf_…"
      ],
      "body": {
        "content": "Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Creation Date,TimeZone,Type,Modification Reference,Gross Currency,Gross Debit (GC),Gross Credit (GC),Batch Number\nShop,ShopEU,8835513412345678,tr_op_…,visa,2026-11-21 10:00:00,CET,Settled,8825513498765432,EUR,,129.90,12"
      }
    }
  },
  {
    "method": "reconciliations.retrieve",
    "summary": "Retrieve a reconciliation",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": false,
    "changes": false,
    "expands": true,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [
        "rec_…"
      ],
      "body": {}
    }
  },
  {
    "method": "reconciliationDifferences.retrieve",
    "summary": "Retrieve a difference",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": false,
    "changes": false,
    "expands": true,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [
        "rec_diff_…"
      ],
      "body": {}
    }
  },
  {
    "method": "reconciliationDifferences.resolve",
    "summary": "Resolve a difference",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": true,
    "changes": true,
    "expands": true,
    "fields": [
      {
        "name": "reason",
        "kind": "text",
        "about": "Why nothing is left to be done, for those who audit the books.",
        "isRequired": true
      }
    ],
    "secretFields": [],
    "example": {
      "ids": [
        "rec_diff_…"
      ],
      "body": {
        "reason": "Booked by hand in the dashboard of the gateway, order 000042."
      }
    }
  },
  {
    "method": "ruleSets.list",
    "summary": "List versions of the routing rules",
    "ids": [],
    "isList": true,
    "takesBody": false,
    "changes": false,
    "expands": false,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [],
      "body": {}
    }
  },
  {
    "method": "routingRules.retrieve",
    "summary": "Retrieve the routing rules",
    "ids": [],
    "isList": false,
    "takesBody": false,
    "changes": false,
    "expands": false,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [],
      "body": {}
    }
  },
  {
    "method": "routingRules.create",
    "summary": "Write the routing rules",
    "ids": [],
    "isList": false,
    "takesBody": true,
    "changes": true,
    "expands": false,
    "fields": [
      {
        "name": "rules",
        "kind": "text",
        "about": "The rules in their order: in the text form, or a list of rules as they are shown.",
        "isRequired": true
      },
      {
        "name": "activate",
        "kind": "boolean",
        "about": "Whether the version decides from the next payment on; true by default."
      }
    ],
    "secretFields": [],
    "example": {
      "ids": [],
      "body": {
        "rules": "block {\n  condition: card_country == \"KP\";\n  tags: embargo;\n}"
      }
    }
  },
  {
    "method": "routingRules.deactivate",
    "summary": "Deactivate the routing rules",
    "ids": [],
    "isList": false,
    "takesBody": false,
    "changes": true,
    "expands": false,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [],
      "body": {}
    }
  },
  {
    "method": "routingRules.explain",
    "summary": "Explain what becomes of a payment",
    "ids": [],
    "isList": false,
    "takesBody": true,
    "changes": true,
    "expands": false,
    "fields": [
      {
        "name": "invoice_id",
        "kind": "text",
        "about": "The invoice whose payment is explained."
      },
      {
        "name": "payment",
        "kind": "json",
        "about": "In place of an invoice: a hypothetical payment."
      },
      {
        "name": "source",
        "kind": "text",
        "about": "What it would be paid with: a card, a token or a customer."
      },
      {
        "name": "card",
        "kind": "json",
        "about": "In place of a source: a hypothetical card."
      },
      {
        "name": "rules",
        "kind": "text",
        "about": "In place of the active rules: others, in the text form or as a list."
      },
      {
        "name": "incremental",
        "kind": "boolean",
        "about": "Whether the authorization should be one that can be raised."
      },
      {
        "name": "authorize_only",
        "kind": "boolean",
        "about": "Whether money would only be reserved."
      },
      {
        "name": "allow_fallback_to_sale",
        "kind": "boolean",
        "about": "Whether the money may be taken at once where the gateway does not support separate authorization and capture."
      }
    ],
    "secretFields": [],
    "example": {
      "ids": [],
      "body": {
        "payment": {
          "amount": "29.00",
          "currency": "EUR",
          "customer_country": "FR",
          "channel": "web"
        },
        "card": {
          "scheme": "visa",
          "type": "credit",
          "country_code": "FR"
        }
      }
    }
  },
  {
    "method": "ruleSets.retrieve",
    "summary": "Retrieve a version of the routing rules",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": false,
    "changes": false,
    "expands": false,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [
        "rs_…"
      ],
      "body": {}
    }
  },
  {
    "method": "ruleSets.activate",
    "summary": "Activate a version of the routing rules",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": false,
    "changes": true,
    "expands": false,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [
        "rs_…"
      ],
      "body": {}
    }
  },
  {
    "method": "apiRequests.list",
    "summary": "List requests of the log",
    "ids": [],
    "isList": true,
    "takesBody": false,
    "changes": false,
    "expands": false,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [],
      "body": {}
    }
  },
  {
    "method": "apiRequests.retrieve",
    "summary": "Retrieve a logged request",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": false,
    "changes": false,
    "expands": false,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [
        "api_req_…"
      ],
      "body": {}
    }
  },
  {
    "method": "projects.retrieve",
    "summary": "Retrieve your project",
    "ids": [
      "id"
    ],
    "isList": false,
    "takesBody": false,
    "changes": false,
    "expands": false,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [
        "proj_…"
      ],
      "body": {}
    }
  },
  {
    "method": "service.versions",
    "summary": "List the versions of the interface",
    "ids": [],
    "isList": false,
    "takesBody": false,
    "changes": false,
    "expands": false,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [],
      "body": {}
    }
  },
  {
    "method": "service.errorCodes",
    "summary": "List the error codes",
    "ids": [],
    "isList": false,
    "takesBody": false,
    "changes": false,
    "expands": false,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [],
      "body": {}
    }
  },
  {
    "method": "service.checkLiveness",
    "summary": "Whether the process answers",
    "ids": [],
    "isList": false,
    "takesBody": false,
    "changes": false,
    "expands": false,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [],
      "body": {}
    }
  },
  {
    "method": "service.checkReadiness",
    "summary": "Whether the service can work",
    "ids": [],
    "isList": false,
    "takesBody": false,
    "changes": false,
    "expands": false,
    "fields": [],
    "secretFields": [],
    "example": {
      "ids": [],
      "body": {}
    }
  }
]
