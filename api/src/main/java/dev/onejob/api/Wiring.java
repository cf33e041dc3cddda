package dev.onejob.api;

import dev.onejob.api.problem.Errors;
import dev.onejob.api.problem.ProblemAdvice;
import dev.onejob.api.problem.RequestIds;
import dev.onejob.store.Database;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;

/** What every process serves: its health. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({Errors.class, ProblemAdvice.class})
class Wiring {

  @Bean
  FilterRegistrationBean<RequestIds> requestIds() {
    FilterRegistrationBean<RequestIds> filter = new FilterRegistrationBean<>(new RequestIds());
    filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
    return filter;
  }

  /** Temporal is not asked: submissions do not need it. */
  @Bean
  HealthIndicator database(Database database) {
    return () -> (database.reachable() ? Health.up() : Health.down()).build();
  }
}
