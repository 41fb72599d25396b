"""What things are about, as data: domains, entity types, intents, edges, query types, senses."""
